#!/bin/bash
# The GPU engines with their host side, on an emulated GPU (cuda_host.hh): pages in bands by
# every method, several jobs at once, forced failures.  RIPTIDE_TEST_SEED repeats a run, but
# for the order of threads.  Where RIPTIDE_TEST_SHORT is set, a third of the random pages, and each
# failure at one of its places, at random.
set -u
check=${RIPTIDE_BUILD:-$PWD}/tests/gpu/gpu-check-emulated
seed=${RIPTIDE_TEST_SEED:-$RANDOM$RANDOM}
failed=0
pages=3
short=${RIPTIDE_TEST_SHORT:+yes}
[[ ! $short ]] || pages=1
RANDOM=$((seed % 32768))

echo "# seed: RIPTIDE_TEST_SEED=$seed"
expect() # WHAT COMMAND...
{
	local said

	if said=$(timeout 600 "${@:2}" 2>&1); then
		echo "ok: $1: $(tail -n 1 <<<"$said")"
	else
		echo "FAILED ($?): $1: $said"
		failed=1
	fi
}

# places_of KIND:NUMBER,NUMBER...: each KIND:NUMBER, or of each kind one at random
places_of()
{
	local kind number numbers

	places=()
	for kind; do
		IFS=, read -ra numbers <<<"${kind#*:}"
		[[ ! $short ]] || numbers=("${numbers[RANDOM % ${#numbers[@]}]}")
		for number in "${numbers[@]}"; do
			places+=("${kind%:*}:$number")
		done
	done
}

expect "all methods" "$check" --small $((pages * 5)) "$seed"
expect "chunked pixels" "$check" --small --pixels $((pages * 4)) "$seed"
expect "planes together" "$check" --small --colour $((pages * 2)) "$seed"
expect "planes together, chunked pixels" "$check" --small --colour --pixels $pages "$seed"
expect "planes together, jobs at once" "$check" --small --colour --crowd 0 "$seed"
# Some pages take memory seven times only.
places_of memory:7 copy:3 launch:1,2 stall:2 trap:1
for what in "${places[@]}"; do
	expect "planes together, forced: $what" env RIPTIDE_CUDA_FAIL=$what "$check" \
		--small --colour --failure 0 "$seed"
	expect "planes together, forced, several bands on their way: $what" env \
		RIPTIDE_CUDA_FAIL=$what \
		"$check" --small --colour --submitted 0 "$seed"
done
for n in 1 2; do
	expect "jobs at once" "$check" --small --crowd 0 "$seed$n"
	expect "jobs at once, published method" "$check" --small --launch --crowd 0 "$seed$n"
	expect "overtaken launches" env RIPTIDE_CUDA_FAIL=overtake:$n "$check" --small --flags 8 \
		"$seed$n"
done
expect "without clusters" env RIPTIDE_EMULATED_CLUSTER=1 "$check" --small --flags 5 "$seed"
expect "large clusters" env RIPTIDE_EMULATED_CLUSTER=8 "$check" --small --flags 1 "$seed"
# Several GPUs.
for n in 1 2; do
	expect "jobs at once on several GPUs" env RIPTIDE_EMULATED_GPUS=$((n + 1)) "$check" \
		--small --crowd 0 "$seed$n"
done
places_of copy:1,9 launch:1,4 stall:2 trap:1,4
for what in "${places[@]}"; do
	expect "another GPU goes on: $what" env RIPTIDE_CUDA_FAIL=$what RIPTIDE_EMULATED_GPUS=2 \
		"$check" --small --failover 0 "$seed"
done
# The runtime refuses one launch, for lack of memory.
places_of refuse:1,2,4
for n in "${places[@]#*:}"; do
	expect "a launch is refused" env RIPTIDE_EMULATED_REFUSE=$n "$check" \
		--small --flags --failure 0 "$seed"
	expect "a launch of a published method is refused" env RIPTIDE_EMULATED_REFUSE=$n \
		"$check" --small --launch --failure 0 "$seed"
done
places_of memory:1,4,6 copy:1,5 launch:1,3 stall:1,2 patience:0 trap:1,3
for what in "${places[@]}"; do
	expect "forced: $what" env RIPTIDE_CUDA_FAIL=$what "$check" --small --failure 0 "$seed"
done
places_of memory:1,6 copy:1,2,5 launch:1,3 stall:1,2 patience:0 trap:1,3
for what in "${places[@]}"; do
	expect "forced, several bands on their way: $what" env RIPTIDE_CUDA_FAIL=$what "$check" \
		--small --submitted 0 "$seed"
	expect "forced, bands of pixels: $what" env RIPTIDE_CUDA_FAIL=$what "$check" \
		--small --pixels --submitted 0 "$seed"
done
places_of refuse:1,2,3
for n in "${places[@]#*:}"; do
	expect "a launch for pixels is refused" env RIPTIDE_EMULATED_REFUSE=$n "$check" \
		--small --pixels --submitted 0 "$seed"
done
# Nothing forces a production build to fail.
for what in memory:1 copy:1 launch:1 stall:1 patience:0 trap:1; do
	expect "not forced in production: $what" env RIPTIDE_CUDA_FAIL=$what \
		"${check%emulated}production" --small --flags 2 "$seed"
done
places_of memory:1,4,8 copy:1,5 launch:1,3 trap:1,3
for what in "${places[@]}"; do
	expect "forced in a published method: $what" env RIPTIDE_CUDA_FAIL=$what \
		"$check" --small --launch --failure 0 "$seed"
done
exit $failed
