#include "config.h"

#include "ring.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define SEALS_IN  (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define SEALS_OUT (SEALS_IN | F_SEAL_FUTURE_WRITE)

/* Since Linux 6.3: never executable, and no complaint in the kernel's log. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

static const struct rip_ring empty = { .in_fd = -1, .out_fd = -1 };

static int make(const char *name, size_t size)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)size) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	return fd;
}

static int map(uint8_t **memory, int fd, size_t size, int protection)
{
	void *p = mmap(NULL, size, protection, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	*memory = p;
	return 0;
}

static int seal(int fd, int seals)
{
	return fcntl(fd, F_ADD_SEALS, seals) < 0 ? -errno : 0;
}

int rip_ring_create(struct rip_ring *ring, size_t in_size, size_t out_size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int r;

	*ring = empty;
	if (in_size == 0 || out_size == 0 || in_size > PTRDIFF_MAX - page ||
	    out_size > PTRDIFF_MAX - page)
		return -EINVAL;
	ring->in_size = (in_size + page - 1) / page * page;
	ring->out_size = (out_size + page - 1) / page * page;
	r = ring->in_fd = make("riptide-in", ring->in_size);
	if (r < 0)
		goto fail;
	r = ring->out_fd = make("riptide-out", ring->out_size);
	if (r < 0)
		goto fail;
	r = seal(ring->in_fd, SEALS_IN);
	if (r == 0)
		r = map(&ring->in, ring->in_fd, ring->in_size, PROT_READ);
	/* Before the seal: no later mapping can be writable. */
	if (r == 0)
		r = map(&ring->out, ring->out_fd, ring->out_size, PROT_READ | PROT_WRITE);
	if (r == 0)
		r = seal(ring->out_fd, SEALS_OUT);
	if (r == 0)
		return 0;
fail:
	rip_ring_finish(ring);
	return r;
}

/* Whether fd is a memfd of this size that cannot shrink.  Huge pages are refused: the
 * system can run out of them at the first access (SIGBUS). */
static bool as_promised(int fd, int seals, size_t size)
{
	const int have = fcntl(fd, F_GET_SEALS);
	struct statfs fs;
	struct stat st;

	return have >= 0 && (have & seals) == seals && fstatfs(fd, &fs) == 0 &&
	       fs.f_type == TMPFS_MAGIC && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_size >= 0 && (uint64_t)st.st_size == size;
}

int rip_ring_map(struct rip_ring *ring, int in_fd, int out_fd, size_t in_size, size_t out_size)
{
	int r = -EPROTO;

	*ring = empty;
	if (in_size > 0 && out_size > 0 && as_promised(in_fd, SEALS_IN, in_size) &&
	    as_promised(out_fd, SEALS_OUT, out_size)) {
		ring->in_size = in_size;
		ring->out_size = out_size;
		r = map(&ring->in, in_fd, in_size, PROT_READ | PROT_WRITE);
		if (r == -EPERM || r == -EACCES) /* sealed or opened against writing */
			r = -EPROTO;
		if (r == 0)
			r = map(&ring->out, out_fd, out_size, PROT_READ);
	}
	close(in_fd);
	close(out_fd);
	if (r < 0)
		rip_ring_finish(ring);
	return r;
}

/* Frees the memory even if the other side retains a descriptor or a mapping, as far as
 * Linux allows (see ring.h). */
static void punch(int fd, size_t size)
{
	if (fd >= 0)
		(void)!fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)size);
}

void rip_ring_rest(struct rip_ring *ring)
{
	/* Shared mappings: the pages themselves are the memfds'. */
	madvise(ring->in, ring->in_size, MADV_DONTNEED);
	madvise(ring->out, ring->out_size, MADV_DONTNEED);
}

void rip_ring_leave(struct rip_ring *ring)
{
	if (ring->in)
		munmap(ring->in, ring->in_size);
	if (ring->out)
		munmap(ring->out, ring->out_size);
	if (ring->in_fd >= 0)
		close(ring->in_fd);
	if (ring->out_fd >= 0)
		close(ring->out_fd);
	*ring = empty;
}

void rip_ring_finish(struct rip_ring *ring)
{
	punch(ring->in_fd, ring->in_size);
	punch(ring->out_fd, ring->out_size);
	rip_ring_leave(ring);
}
