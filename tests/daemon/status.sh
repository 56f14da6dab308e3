#!/bin/bash
# riptide status with a real daemon: metrics as Prometheus reads them, JSON as the manual describes
# it, and --watch on a terminal that is resized, left and come back to.
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
need python3
start_daemon --device cpu --threads 1
# A session whose queue would clear the screen, in a page that is half done.
cat >hello.py <<'END'
import array, socket, struct, sys, time
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
name = b"\x1b[2Jevil\n\"q\\\xff"
s.sendall(struct.pack("<IHHIIII128s", 152, 1, 0, 0x54504952, 4, 42, 2, name))
s.recvmsg(4096, 4096)
s.sendall(struct.pack("<IHHIIIIIIIIIQQQIIIIIQI", 100, 2, 0, 7, 100, 1000, 1, 2, 8,
		      *[0] * 13))
time.sleep(1000)
END
python3 hello.py "$folder/socket" &
client=$!
status() { "$riptide" status --socket "$folder/socket" "$@"; }
wait_for 60 eval 'status --json | grep -q "\"page\":7,"' ||
	{ complain "no session: $(cat daemon.log)"; finish; }

# --- no device, which is no fault
CUDA_VISIBLE_DEVICES="" "$build/riptided" --threads 1 --config /dev/null \
	--socket "$folder/none" 2>>daemon.log &
wait_for 60 "$riptide" status --socket "$folder/none"
said=$("$riptide" status --socket "$folder/none" 2>&1)
[[ $said == *"device    none: clients halftone by themselves"* ]] ||
	complain "without a device: $said"

# --- the ink of queues has its own table: a line says so
export CUPS_CACHEDIR=$folder/cache
mkdir -p "$CUPS_CACHEDIR/riptide"
for queue in {1..15}; do
	status | grep '^ink' >ink
	((queue == 1)) && [[ -s ink ]] && complain "ink of no queue: $(cat ink)"
	printf 'riptide ink 1\nsince 1\njobs 1\npages 1\nC 1 2\nK 1 2\n' \
		>"$CUPS_CACHEDIR/riptide/q$queue.ink"
done
[[ $(cat ink) == "ink       of 14 queues: riptide status --ink" ]] ||
	complain "14 queues: $(cat ink)"
[[ $("$riptide" status --ink | wc -l) == 16 ]] || complain "not a row a queue"

# --- metrics
status --metrics >metrics || complain "--metrics"
if have promtool; then
	promtool check metrics <metrics || complain "promtool has something to say"
fi
python3 - metrics <<'END' || complain "the metrics"
# The text format 0.0.4, more strictly than Prometheus takes it.
import re, sys
text = open(sys.argv[1], "rb").read()
assert text.isascii() and text.endswith(b"\n") and b"\n\n" not in text, "not lines of ASCII"
name = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
label = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*"'
sample = re.compile(rf"({name})(?:\{{({label}(?:,{label})*)\}})? (-?[0-9.]+(?:e[+-]?[0-9]+)?)")
kinds, helped, seen, current = {}, set(), set(), None
for line in text.decode().splitlines():
    if line.startswith("# HELP "):
        current = line.split(" ", 3)[2]
        assert current not in helped and re.fullmatch(name, current), line
        assert line.split(" ", 3)[3].endswith("."), line
        helped.add(current)
    elif line.startswith("# TYPE "):
        _, _, what, kind = line.split(" ")
        assert what == current and what not in kinds and kind in ("gauge", "counter"), line
        assert (kind == "counter") == what.endswith("_total"), f"{line}: counters end in _total"
        kinds[what] = kind
    else:
        found = sample.fullmatch(line)
        assert found, f"no sample: {line}"
        assert found[1] == current and current in kinds, f"not under its TYPE: {line}"
        assert (found[1], found[2]) not in seen, f"twice: {line}"
        seen.add((found[1], found[2]))
        float(found[3])
assert {what for what, _ in seen} == set(kinds) == helped, "a name without a sample"
assert ("riptide_queue_sessions", r'queue="\\x1b[2Jevil\\x0a\"q\\x5c\\xff"') in seen, "no queue"
print(f"{len(kinds)} metrics, {len(seen)} samples")
END

# --- JSON: riptide-status(1) has each member, in a list that ends with the next option
status --json >json || complain "--json"
python3 - json "$source/man/riptide-status.1.in" "$client" <<'END' || complain "the members"
import json, re, sys
page = open(sys.argv[2], encoding="utf-8").read()
described = page.split(".B \\-\\-json\n")[1].split(".TP\n")[0]
words = set(re.findall(r"[a-z0-9_]+", described))
text = open(sys.argv[1], "rb").read()
assert text.isascii(), "not ASCII"
def members(value):
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            for key in one:
                yield key
                yield from members(one[key])
told = json.loads(text)
session = told["sessions"][0]
assert session["queue"] == r'\x1b[2Jevil\x0a"q\x5c\xff' and session["job"] == 42, session
assert session["pid"] == int(sys.argv[3]), session
assert told["workers"] == 1, "--threads 1 makes other workers"
found = set(members(told))
assert {"queue", "uptime_ms"} <= found, "no session"
assert found <= words, f"riptide-status(1) does not have {sorted(found - words)}"
print(f"{len(found)} members")
END

# --- another session, which ends: nothing tells of it but in printable ASCII
python3 hello.py "$folder/socket" &
sessions_are() { status --json | grep -q "\"session_count\":$1,"; }
wait_for 10 sessions_are 2 || complain "the second session is not there"
kill $!
wait_for 10 sessions_are 1 || complain "the session stays when its client is gone"
status >said || complain "status"
for file in said metrics json daemon.log; do
	LC_ALL=C grep -q '[^ -~]' $file && complain "$file is not printable ASCII"
done
grep -qF 'job=42 queue="\x1b[2Jevil\x0a\x22q\x5c\xff"' daemon.log ||
	complain "the log does not tell the job and its queue"

# --- watching
cat >watch.py <<'END'
import fcntl, os, pty, re, select, signal, struct, sys, termios, time

riptide, path, daemon = sys.argv[1], sys.argv[2], int(sys.argv[3])
ENTER, LEAVE = b"\x1b[?1049h\x1b[?25l\x1b[?7l", b"\x1b[?7h\x1b[?25h\x1b[?1049l"
STOPPED = b"[1]+ Stopped"

def shell():
    """What a shell does: a job in the foreground, SIGUSR1 is fg, SIGTERM is the job's."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.environ["TERM"] = "xterm"
    time.sleep(0.2)  # until the size is set
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execv(riptide, [riptide, "status", "--watch", "--socket", path])
    signal.signal(signal.SIGTERM, lambda *_: os.kill(job, signal.SIGTERM))
    signal.signal(signal.SIGUSR1, lambda *_: (os.tcsetpgrp(0, job), os.kill(job, signal.SIGCONT)))
    while True:
        _, code = os.waitpid(job, os.WUNTRACED)
        if not os.WIFSTOPPED(code):
            os._exit(os.waitstatus_to_exitcode(code) & 255)
        os.tcsetpgrp(0, os.getpgrp())
        os.write(1, STOPPED)

class Terminal:
    def __init__(self, columns=100, rows=20):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            shell()
        self.resize(columns, rows)
        self.settings = termios.tcgetattr(self.fd)
        self.out = b""

    def resize(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.fd], [], [], left)[0]:
                try:
                    data = os.read(self.fd, 65536)
                except OSError:
                    return
                self.out += data

    def await_text(self, text, seconds=10):
        end = time.monotonic() + seconds
        while text not in self.out:
            assert time.monotonic() < end, f"no {text!r} in {self.out[-3000:]!r}"
            self.read(0.05)

    def frames(self):
        """Pictures: lists of lines, without what moves the cursor."""
        for frame in re.findall(rb"\x1b\[\?2026h\x1b\[H(.*?)\x1b\[J\x1b\[\?2026l", self.out, re.S):
            text = frame.removesuffix(b"\x1b[K").replace(b"\x1b[K\r\n", b"\n")
            text = text.replace(b"\x1b[7m", b"").replace(b"\x1b[m", b"")
            assert re.fullmatch(rb"[ -~\n]*", text), f"not printable: {text!r}"
            yield text.split(b"\n")

    def end(self, status=0):
        end = time.monotonic() + 5
        while True:
            self.read(0.05)
            pid, code = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                break
            assert time.monotonic() < end, "it does not end"
        assert os.waitstatus_to_exitcode(code) == status, f"exit {code}"
        assert self.out.count(ENTER) == self.out.count(LEAVE), "another screen is left"
        assert self.out.endswith(LEAVE), f"ends with {self.out[-40:]!r}"
        assert termios.tcgetattr(self.fd) == self.settings, "other settings are left"
        os.close(self.fd)

# q, Ctrl-C, SIGTERM: the terminal is as it was.
for way in "q", "\x03", "term":
    t = Terminal()
    t.await_text(b"q: quit")
    assert termios.tcgetattr(t.fd)[3] & termios.ECHO == 0, "keys are shown"
    if way == "term":
        os.kill(t.pid, signal.SIGTERM)
    else:
        os.write(t.fd, way.encode())
    t.end()

# Pictures fit, whatever the size; a new size is drawn at once, any other key as well.
t = Terminal(100, 20)
t.await_text(b"q: quit")
for columns, rows in (200, 50), (40, 12), (30, 8), (10, 3), (5, 1), (100, 20):
    t.out = b""
    began = time.monotonic()
    t.resize(columns, rows)
    t.await_text(b"\x1b[?2026l", 3)
    frames = list(t.frames())
    assert frames, "no picture"
    assert len(frames[-1]) <= rows, f"{len(frames[-1])} lines of {rows}"
    assert all(len(line) <= max(columns, 7) for line in frames[-1]), f"too wide for {columns}"
t.out = b""
t.await_text(b"q: quit")
t.read(0.5)
last = list(t.frames())[-1]
assert any(b"\\x1b[2Jevil" in line and b"[.........." in line and b"0 %" in line
           for line in last), last
assert b"\x1b[2J" not in t.out, "the screen is cleared"

# Ctrl-Z gives the terminal back, and fg takes it again.
t.out = ENTER
os.write(t.fd, b"\x1a")
t.await_text(STOPPED)
assert t.out.endswith(LEAVE + STOPPED), "it stops in its own screen"
assert termios.tcgetattr(t.fd)[3] & termios.ECHO, "stopped, but keys are not shown"
t.out = b""
os.kill(t.pid, signal.SIGUSR1)
t.await_text(ENTER, 5)
t.out = t.out[t.out.rindex(ENTER):]
t.await_text(b"q: quit")

# A daemon that goes away is reported, and waited for.
os.kill(daemon, signal.SIGKILL)
t.out = ENTER
t.await_text(b"no daemon on")
os.write(t.fd, b"q")
t.end()
print("watched")
END
timeout 100 python3 watch.py "$riptide" "$folder/socket" "$daemon" || complain "--watch"

# --- where there is no terminal
status --watch >said 2>&1
[[ $? == 2 ]] && grep -q "needs a terminal" said || complain "--watch into a file"
finish
