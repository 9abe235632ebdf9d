#!/usr/bin/env bash
# Tests scripts/slurm/transform.sbatch on a real Slurm with four virtual nodes. With either launcher, 4 nodes x 2 ranks
# write files that are bitwise identical to those of one rank without Slurm. Errors set the exit code of the job. Iterations
# that receive a stop request continue in the next run. A job that stops without progress is not requeued.
set -euo pipefail
# shellcheck source=tests/slurm/common.sh
. "$ARMILLA_SOURCE_DIR/tests/slurm/common.sh"

cp "$ARMILLA_SOURCE_DIR/config/spectra/cmb_lcdm_dl.dat" "$work"
cat >"$work/job.yaml" <<'YAML'
version: 1
steps:
  - random_alm: {spectrum: cmb_lcdm_dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 64, seed: 7, out: sky}
  - synthesis: {alm: sky, grid: {healpix: {nside: 32}}, out: sky_map}
  - analysis: {map: sky_map, lmax: 64, method: {jacobi: {iterations: 1}}, out: found}
  - spectra: {alm: found, out: found_cl}
outputs:
  sky_map: {file: sky_map.h5}
  found: {file: found.fits}
  found_cl: {file: found_cl.fits}
YAML
outputs=(sky_map.h5 found.fits found_cl.fits)

mkdir "$work"/{plain,srun,mpirun}
for run in plain srun mpirun; do cp "$work"/{job.yaml,cmb_lcdm_dl.dat} "$work/$run"; done
(cd "$work/plain" && OMP_NUM_THREADS=1 timeout 120 "$ARMILLA_BINARY" run job.yaml >log.txt 2>&1) ||
  fail "the plain run: $(cat "$work/plain/log.txt")"
start_cluster

for launcher in srun mpirun; do
  cd "$work/$launcher"
  id=$(ARMILLA_LAUNCHER=$launcher sbatch --parsable --nodes=4 --ntasks-per-node=2 --cpus-per-task=2 \
    "$batch/transform.sbatch" job.yaml)
  wait_for "$id"
  [ "$state" = COMPLETED ] || fail "$launcher: job $id ended as $state: $(cat "armilla-$id.out")"
  for name in "${outputs[@]}"; do
    cmp "$work/plain/$name" "$name" || fail "$launcher: $name differs from the plain run's"
  done
  ranks=$(sed -n 's/.*"ranks": *\([0-9]*\).*/\1/p' "job-$id.report.json" | head -n 1)
  [ "$ranks" = 8 ] || fail "$launcher: the report speaks of '$ranks' ranks, not of 8"
  grep -q "8 ranks of 2 threads on 4 node(s), with $launcher" "armilla-$id.out" || fail "$launcher: $(cat "armilla-$id.out")"
  echo "$launcher: ${#outputs[@]} files equal to the plain run's"
done

cd "$work/srun"
id=$(sbatch --parsable --nodes=2 --ntasks-per-node=2 "$batch/transform.sbatch" job.yaml --set steps.0.random_alm.lmaxx=3)
wait_for "$id"
[ "$state $code" = "FAILED 2" ] || fail "a bad key: job ended as $state with $code: $(cat "armilla-$id.out")"
grep -q lmaxx "armilla-$id.out" || fail "a bad key: the log does not name it: $(cat "armilla-$id.out")"

id=$(sbatch --parsable --nodes=1 "$batch/transform.sbatch" nowhere.yaml)
wait_for "$id"
[ "$state $code" = "FAILED 2" ] || fail "no job file: job ended as $state with $code"
grep -q "no job file 'nowhere.yaml'" "armilla-$id.out" || fail "no job file: $(cat "armilla-$id.out")"

id=$(ARMILLA_MACHINE=nowhere sbatch --parsable --nodes=1 "$batch/transform.sbatch" job.yaml)
wait_for "$id"
[ "$state $code" = "FAILED 2" ] || fail "no such machine: job ended as $state with $code"
grep -q "ARMILLA_MACHINE=nowhere" "armilla-$id.out" || fail "no such machine: $(cat "armilla-$id.out")"

# Eight ranks on the CPUs of one machine, as four nodes: a warning where it has fewer.
cd "$work"
id=$(ARMILLA_LAUNCHER=srun sbatch --parsable --nodes=4 --ntasks-per-node=2 --output=doctor.json --error=doctor.txt \
  "$batch/launch.sh" doctor --json)
wait_for "$id"
python3 - doctor.json "$code" <<'PYTHON' || fail "armilla doctor through launch.sh: $(cat doctor.json doctor.txt)"
import json, os, sys
found = json.load(open(sys.argv[1]))
assert int(sys.argv[2]) == found["exit_code"] == (1 if len(os.sched_getaffinity(0)) < 8 else 0), found["findings"]
assert [rank["rank"] for rank in found["ranks"]] == list(range(8))
assert all(rank["launched_ranks"] == 8 for rank in found["ranks"])
assert {finding["topic"] for finding in found["findings"]} <= {"binding"}
PYTHON
echo "armilla doctor through launch.sh: 8 ranks"

# stop NAME: runs a job of many iterations in $work/NAME, slow in its first run, and asks it to stop when
# the iterations have begun.
many=(--set steps.2.analysis.method.jacobi.iterations=300 --set steps.2.analysis.method.jacobi.scheme=pixel)
cat >"$work/slow.env" <<'ENV'
[ "${SLURM_RESTART_COUNT:-0}" != 0 ] || export ARMILLA_TRIAL_PAUSE=20000
ENV
stop() {
  cd "$work/$1"
  rm -f "${outputs[@]}"
  id=$(ARMILLA_MACHINE=$work/slow.env ARMILLA_LAUNCHER=$1 sbatch --parsable --nodes=2 \
    --ntasks-per-node=1 "$batch/transform.sbatch" job.yaml "${many[@]}")
  for _ in $(seq 300); do
    [ ! -f sky_map.h5 ] || break
    sleep 0.1
  done
  sleep 1
  scancel --batch --signal=USR1 "$id"
  wait_for "$id"
}

(cd "$work/plain" && OMP_NUM_THREADS=1 timeout 120 "$ARMILLA_BINARY" run job.yaml "${many[@]}" >log.txt 2>&1) ||
  fail "the plain run of many iterations: $(cat "$work/plain/log.txt")"
for launcher in srun mpirun; do
  stop "$launcher"
  [ "$state" = COMPLETED ] || fail "$launcher, USR1: job $id ended as $state with $code: $(cat "armilla-$id.out")"
  [ "$(field "$id" Restarts)" = 1 ] || fail "$launcher, USR1: the job was not requeued once: $(cat "armilla-$id.out")"
  for words in "stopped, requeued" "resuming at iteration [1-9][0-9]* from"; do
    grep -q "$words" "armilla-$id.out" || fail "$launcher, USR1: no '$words' in the log: $(cat "armilla-$id.out")"
  done
  for name in "${outputs[@]}"; do
    cmp "$work/plain/$name" "$name" || fail "$launcher, USR1: $name differs from the plain run's"
  done
  echo "$launcher: iterations went on after SIGUSR1, ${#outputs[@]} files equal to the plain run's"

  # Where no checkpoint can be written, nothing is done when the request to stop comes.
  touch "$work/$launcher/.armilla"
  stop "$launcher"
  [ "$state $code" = "FAILED 5" ] || fail "$launcher, USR1: job $id ended as $state with $code: $(cat "armilla-$id.out")"
  [ "$(field "$id" Restarts)" = 0 ] || fail "$launcher, USR1: the job was requeued"
  grep -q "stopped without progress, not requeued" "armilla-$id.out" || fail "$launcher, USR1: $(cat "armilla-$id.out")"
  echo "$launcher: exit code 5 after SIGUSR1, not requeued"
done
echo "PASSED"
