/* Which process a connection is of: told apart where pids are not, and for as long as
 * the connection lives. */
#include "tests/tools/testing.h"

#include <sched.h>
#include <sys/socket.h>

#include "daemon/listener.h"
#include "daemon/process.h"
#include "tests/tools/unix_socket.h"

static char path[64];

/* A connection that another process made and left to us when it ended. */
static int connected_by_another(pid_t *by)
{
	int fds[2], status;
	char bytes[CMSG_SPACE(sizeof(int))] = "", byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = bytes,
			      .msg_controllen = sizeof bytes };
	struct cmsghdr *control = CMSG_FIRSTHDR(&msg);
	int fd;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	*by = fork_child();
	if (*by == 0) {
		control->cmsg_level = SOL_SOCKET;
		control->cmsg_type = SCM_RIGHTS;
		control->cmsg_len = CMSG_LEN(sizeof(int));
		fd = unix_connect(path);
		memcpy(CMSG_DATA(control), &fd, sizeof fd);
		_exit(sendmsg(fds[1], &msg, 0) != 1);
	}
	assert_int_equal(recvmsg(fds[0], &msg, MSG_CMSG_CLOEXEC), 1);
	assert_int_equal(waitpid(*by, &status, 0), *by);
	assert_int_equal(status, 0);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&msg)), sizeof fd);
	close(fds[0]);
	close(fds[1]);
	return fd;
}

/* What the server sees of the next connection in its queue. */
static struct rip_peer accepted(int listener)
{
	struct rip_peer peer;
	AUTO_CLOSE const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

	if (fd < 0 || rip_peer_get(fd, &peer) < 0)
		exit(98);
	return peer;
}

/* Two connections of this process and one of another, which has ended by then. */
TEST(processes)
{
	AUTO_CLOSE const int listener = unix_listen(path);
	int fds[3];
	struct rip_peer peers[3];
	pid_t other;

	fds[0] = unix_connect(path);
	fds[1] = connected_by_another(&other);
	fds[2] = unix_connect(path);
	for (int i = 0; i < 3; i++)
		peers[i] = accepted(listener);
	assert_int_equal(peers[0].pid, getpid());
	assert_int_equal(peers[1].pid, other);
	assert_true(rip_process_same(&peers[0].process, &peers[2].process));
	assert_false(rip_process_same(&peers[0].process, &peers[1].process));
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

/* Accepts three connections in a pid namespace that the clients are not in, and tells
 * what it sees of them through a pipe.  Exits 77 if this may not be done here. */
static void serve_in_namespace(int ready, int seen)
{
	struct rip_peer peers[3];
	int listener, status;
	pid_t inner;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID) < 0 && unshare(CLONE_NEWPID) < 0)
		_exit(77);
	inner = fork(); /* the first process in there */
	if (inner < 0)
		_exit(77);
	if (inner > 0)
		_exit(waitpid(inner, &status, 0) == inner && WIFEXITED(status)
			      ? WEXITSTATUS(status) : 97);
	listener = unix_listen(path);
	if (write(ready, "", 1) != 1)
		_exit(96);
	for (int i = 0; i < 3; i++)
		peers[i] = accepted(listener);
	_exit(write(seen, peers, sizeof peers) != sizeof peers);
}

/* Clients of other pid namespaces all have the pid 0, and are told apart all the same. */
TEST(namespace)
{
	struct rip_peer peers[3];
	int ready[2], seen[2], fds[3], status;
	pid_t server, other;
	ssize_t got;
	char byte;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(seen), 0);
	unlink(path);
	server = fork_child();
	if (server == 0)
		serve_in_namespace(ready[1], seen[1]);
	close(ready[1]);
	close(seen[1]);
	got = read(ready[0], &byte, 1);
	if (got == 1) {
		fds[0] = unix_connect(path);
		fds[1] = connected_by_another(&other);
		fds[2] = unix_connect(path);
		got = read(seen[0], peers, sizeof peers);
	}
	assert_int_equal(waitpid(server, &status, 0), server);
	close(ready[0]);
	close(seen[0]);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("no new pid namespaces here\n");
		skip();
	}
	assert_int_equal(status, 0);
	assert_int_equal(got, sizeof peers);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(peers[i].pid, 0);
		close(fds[i]);
	}
	assert_true(rip_process_same(&peers[0].process, &peers[2].process));
	if (peers[0].process.kind != RIP_PROCESS_PIDFD) {
		print_message("this kernel has no inodes of pidfds: one process by uid\n");
		assert_int_equal(peers[0].process.kind, RIP_PROCESS_UID);
		skip();
	}
	assert_false(rip_process_same(&peers[0].process, &peers[1].process));
}

/* Without pidfds: by pid, and by uid where there is none. */
TEST(old_kernel)
{
	const struct rip_process_id a = rip_process_id_of(7, 1000), b = rip_process_id_of(7, 7),
				    c = rip_process_id_of(8, 1000), d = rip_process_id_of(0, 7),
				    e = rip_process_id_of(0, 8);

	assert_true(rip_process_same(&a, &b));
	assert_false(rip_process_same(&a, &c));
	assert_false(rip_process_same(&a, &d)); /* pid 7 is not uid 7 */
	assert_false(rip_process_same(&d, &e));
}

/* Connections of a process share what is its, until the last one is gone. */
TEST(connections)
{
	const struct rip_process_id ids[] = { rip_process_id_of(1, 0), rip_process_id_of(2, 0),
					      rip_process_id_of(3, 0) };
	struct rip_process *list = NULL, *processes[3];

	for (int i = 0; i < 3; i++)
		processes[i] = rip_process_enter(&list, &ids[i]);
	for (int i = 0; i < 3; i++)
		assert_ptr_equal(rip_process_enter(&list, &ids[i]), processes[i]);
	for (int i = 0; i < 3; i++)
		rip_process_leave(&list, processes[i]);
	assert_ptr_equal(rip_process_enter(&list, &ids[1]), processes[1]);
	for (int i = 0; i < 3; i++)
		rip_process_leave(&list, processes[i]);
	assert_ptr_equal(list, processes[1]);
	rip_process_leave(&list, processes[1]);
	assert_null(list);
}

static char folder[] = "/tmp/riptide-test-XXXXXX";

BEFORE_TESTS
{
	if (!mkdtemp(folder))
		exit(99);
	snprintf(path, sizeof path, "%s/s", folder);
}

AFTER_TESTS
{
	unlink(path);
	rmdir(folder);
}
