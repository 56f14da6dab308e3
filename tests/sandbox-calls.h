/* Made by tests/sandbox-calls from riptided.service: what its SystemCallFilter= lets
 * through.  Names that this machine's kernel does not have are left out. */
#ifdef __NR__llseek
	CALL(_llseek)
#endif
#ifdef __NR__newselect
	CALL(_newselect)
#endif
#ifdef __NR_accept
	CALL(accept)
#endif
#ifdef __NR_accept4
	CALL(accept4)
#endif
#ifdef __NR_access
	CALL(access)
#endif
#ifdef __NR_add_key
	CALL(add_key)
#endif
#ifdef __NR_alarm
	CALL(alarm)
#endif
#ifdef __NR_arch_prctl
	CALL(arch_prctl)
#endif
#ifdef __NR_arm_fadvise64_64
	CALL(arm_fadvise64_64)
#endif
#ifdef __NR_bind
	CALL(bind)
#endif
#ifdef __NR_brk
	CALL(brk)
#endif
#ifdef __NR_cacheflush
	CALL(cacheflush)
#endif
#ifdef __NR_capget
	CALL(capget)
#endif
#ifdef __NR_chdir
	CALL(chdir)
#endif
#ifdef __NR_chmod
	CALL(chmod)
#endif
#ifdef __NR_clock_getres
	CALL(clock_getres)
#endif
#ifdef __NR_clock_getres_time64
	CALL(clock_getres_time64)
#endif
#ifdef __NR_clock_gettime
	CALL(clock_gettime)
#endif
#ifdef __NR_clock_gettime64
	CALL(clock_gettime64)
#endif
#ifdef __NR_clock_nanosleep
	CALL(clock_nanosleep)
#endif
#ifdef __NR_clock_nanosleep_time64
	CALL(clock_nanosleep_time64)
#endif
#ifdef __NR_clone
	CALL(clone)
#endif
#ifdef __NR_clone3
	CALL(clone3)
#endif
#ifdef __NR_close
	CALL(close)
#endif
#ifdef __NR_close_range
	CALL(close_range)
#endif
#ifdef __NR_connect
	CALL(connect)
#endif
#ifdef __NR_copy_file_range
	CALL(copy_file_range)
#endif
#ifdef __NR_creat
	CALL(creat)
#endif
#ifdef __NR_dup
	CALL(dup)
#endif
#ifdef __NR_dup2
	CALL(dup2)
#endif
#ifdef __NR_dup3
	CALL(dup3)
#endif
#ifdef __NR_epoll_create
	CALL(epoll_create)
#endif
#ifdef __NR_epoll_create1
	CALL(epoll_create1)
#endif
#ifdef __NR_epoll_ctl
	CALL(epoll_ctl)
#endif
#ifdef __NR_epoll_ctl_old
	CALL(epoll_ctl_old)
#endif
#ifdef __NR_epoll_pwait
	CALL(epoll_pwait)
#endif
#ifdef __NR_epoll_pwait2
	CALL(epoll_pwait2)
#endif
#ifdef __NR_epoll_wait
	CALL(epoll_wait)
#endif
#ifdef __NR_epoll_wait_old
	CALL(epoll_wait_old)
#endif
#ifdef __NR_eventfd
	CALL(eventfd)
#endif
#ifdef __NR_eventfd2
	CALL(eventfd2)
#endif
#ifdef __NR_execve
	CALL(execve)
#endif
#ifdef __NR_execveat
	CALL(execveat)
#endif
#ifdef __NR_exit
	CALL(exit)
#endif
#ifdef __NR_exit_group
	CALL(exit_group)
#endif
#ifdef __NR_faccessat
	CALL(faccessat)
#endif
#ifdef __NR_faccessat2
	CALL(faccessat2)
#endif
#ifdef __NR_fadvise64
	CALL(fadvise64)
#endif
#ifdef __NR_fadvise64_64
	CALL(fadvise64_64)
#endif
#ifdef __NR_fallocate
	CALL(fallocate)
#endif
#ifdef __NR_fchdir
	CALL(fchdir)
#endif
#ifdef __NR_fchmod
	CALL(fchmod)
#endif
#ifdef __NR_fchmodat
	CALL(fchmodat)
#endif
#ifdef __NR_fchmodat2
	CALL(fchmodat2)
#endif
#ifdef __NR_fcntl
	CALL(fcntl)
#endif
#ifdef __NR_fcntl64
	CALL(fcntl64)
#endif
#ifdef __NR_fdatasync
	CALL(fdatasync)
#endif
#ifdef __NR_fgetxattr
	CALL(fgetxattr)
#endif
#ifdef __NR_flistxattr
	CALL(flistxattr)
#endif
#ifdef __NR_flock
	CALL(flock)
#endif
#ifdef __NR_fork
	CALL(fork)
#endif
#ifdef __NR_fremovexattr
	CALL(fremovexattr)
#endif
#ifdef __NR_fsetxattr
	CALL(fsetxattr)
#endif
#ifdef __NR_fstat
	CALL(fstat)
#endif
#ifdef __NR_fstat64
	CALL(fstat64)
#endif
#ifdef __NR_fstatat64
	CALL(fstatat64)
#endif
#ifdef __NR_fstatfs
	CALL(fstatfs)
#endif
#ifdef __NR_fstatfs64
	CALL(fstatfs64)
#endif
#ifdef __NR_fsync
	CALL(fsync)
#endif
#ifdef __NR_ftruncate
	CALL(ftruncate)
#endif
#ifdef __NR_ftruncate64
	CALL(ftruncate64)
#endif
#ifdef __NR_futex
	CALL(futex)
#endif
#ifdef __NR_futex_time64
	CALL(futex_time64)
#endif
#ifdef __NR_futex_waitv
	CALL(futex_waitv)
#endif
#ifdef __NR_futimesat
	CALL(futimesat)
#endif
#ifdef __NR_get_mempolicy
	CALL(get_mempolicy)
#endif
#ifdef __NR_get_robust_list
	CALL(get_robust_list)
#endif
#ifdef __NR_get_thread_area
	CALL(get_thread_area)
#endif
#ifdef __NR_getcpu
	CALL(getcpu)
#endif
#ifdef __NR_getcwd
	CALL(getcwd)
#endif
#ifdef __NR_getdents
	CALL(getdents)
#endif
#ifdef __NR_getdents64
	CALL(getdents64)
#endif
#ifdef __NR_getegid
	CALL(getegid)
#endif
#ifdef __NR_getegid32
	CALL(getegid32)
#endif
#ifdef __NR_geteuid
	CALL(geteuid)
#endif
#ifdef __NR_geteuid32
	CALL(geteuid32)
#endif
#ifdef __NR_getgid
	CALL(getgid)
#endif
#ifdef __NR_getgid32
	CALL(getgid32)
#endif
#ifdef __NR_getgroups
	CALL(getgroups)
#endif
#ifdef __NR_getgroups32
	CALL(getgroups32)
#endif
#ifdef __NR_getitimer
	CALL(getitimer)
#endif
#ifdef __NR_getpeername
	CALL(getpeername)
#endif
#ifdef __NR_getpgid
	CALL(getpgid)
#endif
#ifdef __NR_getpgrp
	CALL(getpgrp)
#endif
#ifdef __NR_getpid
	CALL(getpid)
#endif
#ifdef __NR_getppid
	CALL(getppid)
#endif
#ifdef __NR_getpriority
	CALL(getpriority)
#endif
#ifdef __NR_getrandom
	CALL(getrandom)
#endif
#ifdef __NR_getresgid
	CALL(getresgid)
#endif
#ifdef __NR_getresgid32
	CALL(getresgid32)
#endif
#ifdef __NR_getresuid
	CALL(getresuid)
#endif
#ifdef __NR_getresuid32
	CALL(getresuid32)
#endif
#ifdef __NR_getrlimit
	CALL(getrlimit)
#endif
#ifdef __NR_getrusage
	CALL(getrusage)
#endif
#ifdef __NR_getsid
	CALL(getsid)
#endif
#ifdef __NR_getsockname
	CALL(getsockname)
#endif
#ifdef __NR_getsockopt
	CALL(getsockopt)
#endif
#ifdef __NR_gettid
	CALL(gettid)
#endif
#ifdef __NR_gettimeofday
	CALL(gettimeofday)
#endif
#ifdef __NR_getuid
	CALL(getuid)
#endif
#ifdef __NR_getuid32
	CALL(getuid32)
#endif
#ifdef __NR_getxattr
	CALL(getxattr)
#endif
#ifdef __NR_inotify_add_watch
	CALL(inotify_add_watch)
#endif
#ifdef __NR_inotify_init
	CALL(inotify_init)
#endif
#ifdef __NR_inotify_init1
	CALL(inotify_init1)
#endif
#ifdef __NR_inotify_rm_watch
	CALL(inotify_rm_watch)
#endif
#ifdef __NR_io_cancel
	CALL(io_cancel)
#endif
#ifdef __NR_io_destroy
	CALL(io_destroy)
#endif
#ifdef __NR_io_getevents
	CALL(io_getevents)
#endif
#ifdef __NR_io_pgetevents
	CALL(io_pgetevents)
#endif
#ifdef __NR_io_pgetevents_time64
	CALL(io_pgetevents_time64)
#endif
#ifdef __NR_io_setup
	CALL(io_setup)
#endif
#ifdef __NR_io_submit
	CALL(io_submit)
#endif
#ifdef __NR_io_uring_enter
	CALL(io_uring_enter)
#endif
#ifdef __NR_io_uring_register
	CALL(io_uring_register)
#endif
#ifdef __NR_io_uring_setup
	CALL(io_uring_setup)
#endif
#ifdef __NR_ioctl
	CALL(ioctl)
#endif
#ifdef __NR_ioprio_get
	CALL(ioprio_get)
#endif
#ifdef __NR_ipc
	CALL(ipc)
#endif
#ifdef __NR_kcmp
	CALL(kcmp)
#endif
#ifdef __NR_keyctl
	CALL(keyctl)
#endif
#ifdef __NR_kill
	CALL(kill)
#endif
#ifdef __NR_lgetxattr
	CALL(lgetxattr)
#endif
#ifdef __NR_link
	CALL(link)
#endif
#ifdef __NR_linkat
	CALL(linkat)
#endif
#ifdef __NR_listen
	CALL(listen)
#endif
#ifdef __NR_listxattr
	CALL(listxattr)
#endif
#ifdef __NR_llistxattr
	CALL(llistxattr)
#endif
#ifdef __NR_lremovexattr
	CALL(lremovexattr)
#endif
#ifdef __NR_lseek
	CALL(lseek)
#endif
#ifdef __NR_lsetxattr
	CALL(lsetxattr)
#endif
#ifdef __NR_lstat
	CALL(lstat)
#endif
#ifdef __NR_lstat64
	CALL(lstat64)
#endif
#ifdef __NR_madvise
	CALL(madvise)
#endif
#ifdef __NR_membarrier
	CALL(membarrier)
#endif
#ifdef __NR_memfd_create
	CALL(memfd_create)
#endif
#ifdef __NR_mkdir
	CALL(mkdir)
#endif
#ifdef __NR_mkdirat
	CALL(mkdirat)
#endif
#ifdef __NR_mknod
	CALL(mknod)
#endif
#ifdef __NR_mknodat
	CALL(mknodat)
#endif
#ifdef __NR_mlock
	CALL(mlock)
#endif
#ifdef __NR_mlock2
	CALL(mlock2)
#endif
#ifdef __NR_mlockall
	CALL(mlockall)
#endif
#ifdef __NR_mmap
	CALL(mmap)
#endif
#ifdef __NR_mmap2
	CALL(mmap2)
#endif
#ifdef __NR_mprotect
	CALL(mprotect)
#endif
#ifdef __NR_mq_getsetattr
	CALL(mq_getsetattr)
#endif
#ifdef __NR_mq_notify
	CALL(mq_notify)
#endif
#ifdef __NR_mq_open
	CALL(mq_open)
#endif
#ifdef __NR_mq_timedreceive
	CALL(mq_timedreceive)
#endif
#ifdef __NR_mq_timedreceive_time64
	CALL(mq_timedreceive_time64)
#endif
#ifdef __NR_mq_timedsend
	CALL(mq_timedsend)
#endif
#ifdef __NR_mq_timedsend_time64
	CALL(mq_timedsend_time64)
#endif
#ifdef __NR_mq_unlink
	CALL(mq_unlink)
#endif
#ifdef __NR_mremap
	CALL(mremap)
#endif
#ifdef __NR_msgctl
	CALL(msgctl)
#endif
#ifdef __NR_msgget
	CALL(msgget)
#endif
#ifdef __NR_msgrcv
	CALL(msgrcv)
#endif
#ifdef __NR_msgsnd
	CALL(msgsnd)
#endif
#ifdef __NR_msync
	CALL(msync)
#endif
#ifdef __NR_munlock
	CALL(munlock)
#endif
#ifdef __NR_munlockall
	CALL(munlockall)
#endif
#ifdef __NR_munmap
	CALL(munmap)
#endif
#ifdef __NR_name_to_handle_at
	CALL(name_to_handle_at)
#endif
#ifdef __NR_nanosleep
	CALL(nanosleep)
#endif
#ifdef __NR_newfstatat
	CALL(newfstatat)
#endif
#ifdef __NR_oldfstat
	CALL(oldfstat)
#endif
#ifdef __NR_oldlstat
	CALL(oldlstat)
#endif
#ifdef __NR_oldolduname
	CALL(oldolduname)
#endif
#ifdef __NR_oldstat
	CALL(oldstat)
#endif
#ifdef __NR_olduname
	CALL(olduname)
#endif
#ifdef __NR_open
	CALL(open)
#endif
#ifdef __NR_openat
	CALL(openat)
#endif
#ifdef __NR_openat2
	CALL(openat2)
#endif
#ifdef __NR_pause
	CALL(pause)
#endif
#ifdef __NR_personality
	CALL(personality)
#endif
#ifdef __NR_pidfd_open
	CALL(pidfd_open)
#endif
#ifdef __NR_pidfd_send_signal
	CALL(pidfd_send_signal)
#endif
#ifdef __NR_pipe
	CALL(pipe)
#endif
#ifdef __NR_pipe2
	CALL(pipe2)
#endif
#ifdef __NR_poll
	CALL(poll)
#endif
#ifdef __NR_ppoll
	CALL(ppoll)
#endif
#ifdef __NR_ppoll_time64
	CALL(ppoll_time64)
#endif
#ifdef __NR_prctl
	CALL(prctl)
#endif
#ifdef __NR_pread64
	CALL(pread64)
#endif
#ifdef __NR_preadv
	CALL(preadv)
#endif
#ifdef __NR_preadv2
	CALL(preadv2)
#endif
#ifdef __NR_prlimit64
	CALL(prlimit64)
#endif
#ifdef __NR_process_madvise
	CALL(process_madvise)
#endif
#ifdef __NR_process_vm_readv
	CALL(process_vm_readv)
#endif
#ifdef __NR_process_vm_writev
	CALL(process_vm_writev)
#endif
#ifdef __NR_pselect6
	CALL(pselect6)
#endif
#ifdef __NR_pselect6_time64
	CALL(pselect6_time64)
#endif
#ifdef __NR_pwrite64
	CALL(pwrite64)
#endif
#ifdef __NR_pwritev
	CALL(pwritev)
#endif
#ifdef __NR_pwritev2
	CALL(pwritev2)
#endif
#ifdef __NR_read
	CALL(read)
#endif
#ifdef __NR_readahead
	CALL(readahead)
#endif
#ifdef __NR_readdir
	CALL(readdir)
#endif
#ifdef __NR_readlink
	CALL(readlink)
#endif
#ifdef __NR_readlinkat
	CALL(readlinkat)
#endif
#ifdef __NR_readv
	CALL(readv)
#endif
#ifdef __NR_recv
	CALL(recv)
#endif
#ifdef __NR_recvfrom
	CALL(recvfrom)
#endif
#ifdef __NR_recvmmsg
	CALL(recvmmsg)
#endif
#ifdef __NR_recvmmsg_time64
	CALL(recvmmsg_time64)
#endif
#ifdef __NR_recvmsg
	CALL(recvmsg)
#endif
#ifdef __NR_remap_file_pages
	CALL(remap_file_pages)
#endif
#ifdef __NR_removexattr
	CALL(removexattr)
#endif
#ifdef __NR_rename
	CALL(rename)
#endif
#ifdef __NR_renameat
	CALL(renameat)
#endif
#ifdef __NR_renameat2
	CALL(renameat2)
#endif
#ifdef __NR_request_key
	CALL(request_key)
#endif
#ifdef __NR_restart_syscall
	CALL(restart_syscall)
#endif
#ifdef __NR_riscv_flush_icache
	CALL(riscv_flush_icache)
#endif
#ifdef __NR_riscv_hwprobe
	CALL(riscv_hwprobe)
#endif
#ifdef __NR_rmdir
	CALL(rmdir)
#endif
#ifdef __NR_rseq
	CALL(rseq)
#endif
#ifdef __NR_rt_sigaction
	CALL(rt_sigaction)
#endif
#ifdef __NR_rt_sigpending
	CALL(rt_sigpending)
#endif
#ifdef __NR_rt_sigprocmask
	CALL(rt_sigprocmask)
#endif
#ifdef __NR_rt_sigqueueinfo
	CALL(rt_sigqueueinfo)
#endif
#ifdef __NR_rt_sigreturn
	CALL(rt_sigreturn)
#endif
#ifdef __NR_rt_sigsuspend
	CALL(rt_sigsuspend)
#endif
#ifdef __NR_rt_sigtimedwait
	CALL(rt_sigtimedwait)
#endif
#ifdef __NR_rt_sigtimedwait_time64
	CALL(rt_sigtimedwait_time64)
#endif
#ifdef __NR_rt_tgsigqueueinfo
	CALL(rt_tgsigqueueinfo)
#endif
#ifdef __NR_sched_get_priority_max
	CALL(sched_get_priority_max)
#endif
#ifdef __NR_sched_get_priority_min
	CALL(sched_get_priority_min)
#endif
#ifdef __NR_sched_getaffinity
	CALL(sched_getaffinity)
#endif
#ifdef __NR_sched_getattr
	CALL(sched_getattr)
#endif
#ifdef __NR_sched_getparam
	CALL(sched_getparam)
#endif
#ifdef __NR_sched_getscheduler
	CALL(sched_getscheduler)
#endif
#ifdef __NR_sched_rr_get_interval
	CALL(sched_rr_get_interval)
#endif
#ifdef __NR_sched_rr_get_interval_time64
	CALL(sched_rr_get_interval_time64)
#endif
#ifdef __NR_sched_yield
	CALL(sched_yield)
#endif
#ifdef __NR_select
	CALL(select)
#endif
#ifdef __NR_semctl
	CALL(semctl)
#endif
#ifdef __NR_semget
	CALL(semget)
#endif
#ifdef __NR_semop
	CALL(semop)
#endif
#ifdef __NR_semtimedop
	CALL(semtimedop)
#endif
#ifdef __NR_semtimedop_time64
	CALL(semtimedop_time64)
#endif
#ifdef __NR_send
	CALL(send)
#endif
#ifdef __NR_sendfile
	CALL(sendfile)
#endif
#ifdef __NR_sendfile64
	CALL(sendfile64)
#endif
#ifdef __NR_sendmmsg
	CALL(sendmmsg)
#endif
#ifdef __NR_sendmsg
	CALL(sendmsg)
#endif
#ifdef __NR_sendto
	CALL(sendto)
#endif
#ifdef __NR_set_robust_list
	CALL(set_robust_list)
#endif
#ifdef __NR_set_thread_area
	CALL(set_thread_area)
#endif
#ifdef __NR_set_tid_address
	CALL(set_tid_address)
#endif
#ifdef __NR_set_tls
	CALL(set_tls)
#endif
#ifdef __NR_setfsgid
	CALL(setfsgid)
#endif
#ifdef __NR_setfsgid32
	CALL(setfsgid32)
#endif
#ifdef __NR_setgid
	CALL(setgid)
#endif
#ifdef __NR_setgid32
	CALL(setgid32)
#endif
#ifdef __NR_setitimer
	CALL(setitimer)
#endif
#ifdef __NR_setns
	CALL(setns)
#endif
#ifdef __NR_setpgid
	CALL(setpgid)
#endif
#ifdef __NR_setregid
	CALL(setregid)
#endif
#ifdef __NR_setregid32
	CALL(setregid32)
#endif
#ifdef __NR_setresgid
	CALL(setresgid)
#endif
#ifdef __NR_setresgid32
	CALL(setresgid32)
#endif
#ifdef __NR_setsid
	CALL(setsid)
#endif
#ifdef __NR_setsockopt
	CALL(setsockopt)
#endif
#ifdef __NR_setxattr
	CALL(setxattr)
#endif
#ifdef __NR_shmat
	CALL(shmat)
#endif
#ifdef __NR_shmctl
	CALL(shmctl)
#endif
#ifdef __NR_shmdt
	CALL(shmdt)
#endif
#ifdef __NR_shmget
	CALL(shmget)
#endif
#ifdef __NR_shutdown
	CALL(shutdown)
#endif
#ifdef __NR_sigaction
	CALL(sigaction)
#endif
#ifdef __NR_sigaltstack
	CALL(sigaltstack)
#endif
#ifdef __NR_signal
	CALL(signal)
#endif
#ifdef __NR_signalfd
	CALL(signalfd)
#endif
#ifdef __NR_signalfd4
	CALL(signalfd4)
#endif
#ifdef __NR_sigpending
	CALL(sigpending)
#endif
#ifdef __NR_sigprocmask
	CALL(sigprocmask)
#endif
#ifdef __NR_sigreturn
	CALL(sigreturn)
#endif
#ifdef __NR_sigsuspend
	CALL(sigsuspend)
#endif
#ifdef __NR_socket
	CALL(socket)
#endif
#ifdef __NR_socketcall
	CALL(socketcall)
#endif
#ifdef __NR_socketpair
	CALL(socketpair)
#endif
#ifdef __NR_splice
	CALL(splice)
#endif
#ifdef __NR_stat
	CALL(stat)
#endif
#ifdef __NR_stat64
	CALL(stat64)
#endif
#ifdef __NR_statfs
	CALL(statfs)
#endif
#ifdef __NR_statfs64
	CALL(statfs64)
#endif
#ifdef __NR_statx
	CALL(statx)
#endif
#ifdef __NR_swapcontext
	CALL(swapcontext)
#endif
#ifdef __NR_symlink
	CALL(symlink)
#endif
#ifdef __NR_symlinkat
	CALL(symlinkat)
#endif
#ifdef __NR_sync
	CALL(sync)
#endif
#ifdef __NR_sync_file_range
	CALL(sync_file_range)
#endif
#ifdef __NR_sync_file_range2
	CALL(sync_file_range2)
#endif
#ifdef __NR_syncfs
	CALL(syncfs)
#endif
#ifdef __NR_sysinfo
	CALL(sysinfo)
#endif
#ifdef __NR_tee
	CALL(tee)
#endif
#ifdef __NR_tgkill
	CALL(tgkill)
#endif
#ifdef __NR_time
	CALL(time)
#endif
#ifdef __NR_timer_create
	CALL(timer_create)
#endif
#ifdef __NR_timer_delete
	CALL(timer_delete)
#endif
#ifdef __NR_timer_getoverrun
	CALL(timer_getoverrun)
#endif
#ifdef __NR_timer_gettime
	CALL(timer_gettime)
#endif
#ifdef __NR_timer_gettime64
	CALL(timer_gettime64)
#endif
#ifdef __NR_timer_settime
	CALL(timer_settime)
#endif
#ifdef __NR_timer_settime64
	CALL(timer_settime64)
#endif
#ifdef __NR_timerfd_create
	CALL(timerfd_create)
#endif
#ifdef __NR_timerfd_gettime
	CALL(timerfd_gettime)
#endif
#ifdef __NR_timerfd_gettime64
	CALL(timerfd_gettime64)
#endif
#ifdef __NR_timerfd_settime
	CALL(timerfd_settime)
#endif
#ifdef __NR_timerfd_settime64
	CALL(timerfd_settime64)
#endif
#ifdef __NR_times
	CALL(times)
#endif
#ifdef __NR_tkill
	CALL(tkill)
#endif
#ifdef __NR_truncate
	CALL(truncate)
#endif
#ifdef __NR_truncate64
	CALL(truncate64)
#endif
#ifdef __NR_ugetrlimit
	CALL(ugetrlimit)
#endif
#ifdef __NR_umask
	CALL(umask)
#endif
#ifdef __NR_uname
	CALL(uname)
#endif
#ifdef __NR_unlink
	CALL(unlink)
#endif
#ifdef __NR_unlinkat
	CALL(unlinkat)
#endif
#ifdef __NR_unshare
	CALL(unshare)
#endif
#ifdef __NR_uretprobe
	CALL(uretprobe)
#endif
#ifdef __NR_userfaultfd
	CALL(userfaultfd)
#endif
#ifdef __NR_utime
	CALL(utime)
#endif
#ifdef __NR_utimensat
	CALL(utimensat)
#endif
#ifdef __NR_utimensat_time64
	CALL(utimensat_time64)
#endif
#ifdef __NR_utimes
	CALL(utimes)
#endif
#ifdef __NR_vfork
	CALL(vfork)
#endif
#ifdef __NR_vmsplice
	CALL(vmsplice)
#endif
#ifdef __NR_wait4
	CALL(wait4)
#endif
#ifdef __NR_waitid
	CALL(waitid)
#endif
#ifdef __NR_waitpid
	CALL(waitpid)
#endif
#ifdef __NR_write
	CALL(write)
#endif
#ifdef __NR_writev
	CALL(writev)
#endif
