#!/bin/bash
# riptide-mpi is linked with MPI, and nothing else is: no program and no library of the
# build needs libmpi.
set -uo pipefail
cd "${RIPTIDE_BUILD:-.}" || exit 99
failed=0 files=0

while read -r file; do
	readelf -h "$file" >/dev/null 2>&1 || continue
	((++files))
	if readelf -d "$file" 2>/dev/null | grep 'NEEDED.*libmpi' >/dev/null; then
		case ${file##*/} in
		riptide-mpi | riptide-mpi-other | riptide-mpi-swapped | riptide-mpi-stretched) ;;
		*)
			echo "$file is linked with libmpi"
			failed=1 ;;
		esac
	elif [[ $file == ./riptide-mpi ]]; then
		echo "$file is not linked with libmpi: what this test looks for has changed"
		failed=1
	fi
done < <(find . -type f -perm -u+x ! -name '*.sh')
((files > 3)) || { echo "only $files programs found"; failed=1; }
# The libraries: their symbols, since they are linked with nothing.
while read -r file; do
	if nm "$file" 2>/dev/null | grep ' U MPI_' >/dev/null; then
		echo "$file calls MPI"
		failed=1
	fi
done < <(find . -name '*.a' ! -name libcluster.a)
echo "$files programs"
exit $failed
