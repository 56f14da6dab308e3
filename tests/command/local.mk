# The command.
TESTS += tests/command/riptide-cli.sh tests/command/riptide-halftone.sh tests/command/riptide-socket.sh
EXTRA_DIST += tests/command/riptide-cli.sh tests/command/riptide-halftone.sh tests/command/riptide-socket.sh

# Completion for bash.
TESTS += tests/command/completion.sh
EXTRA_DIST += tests/command/completion.sh
