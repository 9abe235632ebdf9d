#!/usr/bin/env bash
# Tests scripts/slurm/scaling.sbatch on a real Slurm with four virtual nodes, under srun and mpirun. Strong and weak
# studies write one file per number of ranks. Invalid arguments are rejected.
set -euo pipefail
# shellcheck source=tests/slurm/common.sh
. "$ARMILLA_SOURCE_DIR/tests/slurm/common.sh"
cd "$work"
start_cluster

# study LAUNCHER KIND EXPECTED_RANKS: the files of a study, and what they say.
study() {
  local launcher=$1 kind=$2 expected=$3
  id=$(ARMILLA_LAUNCHER=$launcher sbatch --parsable --nodes=4 --ntasks-per-node=2 "$batch/scaling.sbatch" "$kind" "$launcher" \
    --grid healpix:32 --lmax 64 --rounds 2)
  wait_for "$id"
  [ "$state" = COMPLETED ] || fail "$launcher, $kind: job $id ended as $state with $code: $(cat "armilla-scaling-$id.out")"
  local found
  found=$(cd "$launcher" && for ranks in $expected; do
    python3 -c 'import json, sys
points = json.load(open(sys.argv[1]))
print(*{point["ranks"] for point in (points if isinstance(points, list) else [points])})' "$kind-$id-$ranks.json"
  done | paste -sd' ')
  [ "$found" = "$expected" ] || fail "$launcher, $kind: points of '$found' ranks, not of '$expected'"
  echo "$launcher, $kind: points of $found ranks"
}

study srun strong "1 2 4 8"
export ARMILLA_RANKS="1 3 8"
study mpirun weak "1 3 8"
unset ARMILLA_RANKS

id=$(sbatch --parsable --nodes=1 "$batch/scaling.sbatch" sideways results --grid healpix:32)
wait_for "$id"
[ "$state $code" = "FAILED 2" ] || fail "a study sideways: job ended as $state with $code"
grep -q "strong or weak, not 'sideways'" "armilla-scaling-$id.out" || fail "$(cat "armilla-scaling-$id.out")"

id=$(ARMILLA_RANKS="1 9" sbatch --parsable --nodes=4 --ntasks-per-node=2 "$batch/scaling.sbatch" strong results --grid moon:32)
wait_for "$id"
[ "$state $code" = "FAILED 2" ] || fail "more ranks than there are: job ended as $state with $code"

id=$(sbatch --parsable --nodes=1 --ntasks-per-node=2 "$batch/scaling.sbatch" strong results --grid moon:32)
wait_for "$id"
[ "$state $code" = "FAILED 2" ] || fail "no such grid: job ended as $state with $code"
grep -q "failed for these numbers of ranks: 1 2" "armilla-scaling-$id.out" || fail "$(cat "armilla-scaling-$id.out")"
echo "PASSED"
