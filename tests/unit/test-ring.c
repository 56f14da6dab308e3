/* The ring: who can do what with it, and whose memory it is. */
#include "tests/tools/testing.h"

#include "wire/ring.h"

#define MIB ((size_t)1 << 20)

TEST(seals_hold)
{
	struct rip_ring daemon;
	struct stat st;

	assert_int_equal(rip_ring_create(&daemon, MIB - 100, 2 * MIB), 0);
	assert_int_equal(daemon.in_size, MIB); /* whole pages */
	assert_int_equal(fcntl(daemon.in_fd, F_GET_SEALS) & 0x1f,
			 F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
	assert_int_equal(fcntl(daemon.out_fd, F_GET_SEALS) & 0x1f,
			 F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL);
	assert_int_equal(fcntl(daemon.in_fd, F_GETFD), FD_CLOEXEC);

	/* What a client could try with its descriptors, which are the same. */
	assert_int_equal(mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_SHARED, daemon.out_fd, 0),
			 MAP_FAILED);
	assert_int_equal(pwrite(daemon.out_fd, "x", 1, 0), -1);
	assert_int_equal(fallocate(daemon.out_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
				   4096), -1);
	for (int i = 0; i < 2; i++) {
		const int fd = i ? daemon.out_fd : daemon.in_fd;

		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(ftruncate(fd, st.st_size - 4096), -1);
		assert_int_equal(ftruncate(fd, st.st_size + 4096), -1);
		assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
	}
	void *p = mmap(NULL, MIB, PROT_READ, MAP_SHARED, daemon.out_fd, 0);

	assert_int_not_equal(p, MAP_FAILED);
	assert_int_equal(mprotect(p, MIB, PROT_READ | PROT_WRITE), -1);
	munmap(p, MIB);
	rip_ring_finish(&daemon);
	rip_ring_finish(&daemon);
}

static void map_client(struct rip_ring *client, const struct rip_ring *daemon)
{
	assert_int_equal(rip_ring_map(client, dup(daemon->in_fd), dup(daemon->out_fd),
				      daemon->in_size, daemon->out_size), 0);
	assert_int_equal(client->in_fd, -1);
	assert_int_equal(client->out_fd, -1);
}

TEST(pixels_go_over_and_dots_come_back)
{
	struct rip_ring daemon, client;

	assert_int_equal(rip_ring_create(&daemon, MIB, MIB), 0);
	map_client(&client, &daemon);
	assert_int_equal(daemon.in[MIB - 1], 0);
	memset(client.in, 0x5a, MIB);
	assert_int_equal(daemon.in[MIB - 1], 0x5a);
	memset(daemon.out, 0xc3, MIB);
	assert_int_equal(client.out[MIB - 1], 0xc3);
	/* Resting loses nothing. */
	rip_ring_rest(&client);
	assert_int_equal(client.in[MIB / 2], 0x5a);
	assert_int_equal(client.out[MIB / 2], 0xc3);
	/* The client punches its part: the daemon reads zeros and lives. */
	assert_int_equal(madvise(client.in, MIB, MADV_REMOVE), 0);
	assert_int_equal(daemon.in[0], 0);
	/* The daemon has gone on without the client, and the other way. */
	rip_ring_finish(&client);
	memset(daemon.out, 1, MIB);
	map_client(&client, &daemon);
	rip_ring_finish(&daemon);
	client.in[0] = 1;
	assert_int_equal(client.out[0] | 1, 1); /* readable */
	rip_ring_finish(&client);
	rip_ring_finish(&client);
}

static long blocks(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return (long)st.st_blocks;
}

/* A client that keeps its descriptors holds no pixels. */
TEST(the_end_frees_memory)
{
	struct rip_ring daemon;
	int kept;

	assert_int_equal(rip_ring_create(&daemon, MIB, MIB), 0);
	assert_int_equal(blocks(daemon.in_fd), 0); /* nothing touched, nothing taken */
	assert_int_equal(blocks(daemon.out_fd), 0);
	kept = dup(daemon.in_fd);
	assert_int_equal(pwrite(kept, "x", 1, 0), 1);
	assert_int_equal(pwrite(kept, "x", 1, (off_t)MIB - 1), 1);
	assert_true(blocks(kept) > 0);
	rip_ring_finish(&daemon);
	assert_int_equal(blocks(kept), 0);
	close(kept);
}

static int memory(size_t size, int seals)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	if (seals)
		assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

TEST(what_is_not_as_promised_is_refused)
{
	const int in = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL, out = in | F_SEAL_FUTURE_WRITE;
	struct { int in, out; size_t in_size, out_size; } cases[] = {
		{ memory(MIB, 0), memory(MIB, out), MIB, MIB },
		{ memory(MIB, in), memory(MIB, 0), MIB, MIB },
		{ memory(MIB, in), memory(MIB, in), MIB, MIB },
		{ memory(MIB, F_SEAL_GROW | F_SEAL_SEAL), memory(MIB, out), MIB, MIB },
		{ memory(MIB, in), memory(MIB, out & ~F_SEAL_SHRINK), MIB, MIB },
		{ memory(MIB, in & ~F_SEAL_SEAL), memory(MIB, out), MIB, MIB },
		{ memory(MIB, in), memory(MIB, out), MIB + 4096, MIB }, /* would be SIGBUS */
		{ memory(MIB, in), memory(MIB, out), MIB, 2 * MIB },
		{ memory(MIB, in), memory(MIB, out), 0, MIB },
		{ memory(MIB, out), memory(MIB, out), MIB, MIB }, /* pixels have no place */
		{ memory(MIB, in | F_SEAL_WRITE), memory(MIB, out), MIB, MIB },
		{ open("/dev/zero", O_RDWR), memory(MIB, out), MIB, MIB },
		{ memory(MIB, in), open("/dev/null", O_RDWR), MIB, MIB },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rip_ring ring;
		const int before = rip_test_descriptors();

		assert_int_equal(rip_ring_map(&ring, cases[i].in, cases[i].out, cases[i].in_size,
					      cases[i].out_size), -EPROTO);
		assert_int_equal(rip_test_descriptors(), before - 2); /* closed all the same */
		assert_null(ring.in);
		assert_null(ring.out);
	}

	struct rip_ring ring;

	assert_int_equal(rip_ring_map(&ring, memory(MIB, in), memory(MIB, out), MIB, MIB), 0);
	rip_ring_finish(&ring);
	assert_int_equal(rip_ring_create(&ring, 0, MIB), -EINVAL);
	assert_int_equal(rip_ring_create(&ring, SIZE_MAX, MIB), -EINVAL);
}
