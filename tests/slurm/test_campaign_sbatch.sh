#!/usr/bin/env bash
# Tests scripts/slurm/campaign.sbatch on a real Slurm with four virtual nodes, under srun and mpirun. A campaign is
# interrupted by the stop request before the time limit, by `scontrol requeue`, by SIGKILL of one rank, or by `scancel`, and
# continues in its next run. A job array splits a campaign. All files are bitwise identical to those of an uninterrupted run
# on one rank.
set -euo pipefail
# shellcheck source=tests/slurm/common.sh
. "$ARMILLA_SOURCE_DIR/tests/slurm/common.sh"

cp "$ARMILLA_SOURCE_DIR/config/spectra/cmb_lcdm_dl.dat" "$work"
cat >"$work/campaign.yaml" <<'YAML'
version: 1
steps:
  - random_alm: {spectrum: cmb_lcdm_dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 32, seed: 7, maps: MAPS, out: sky}
  - synthesis: {alm: sky, grid: {healpix: {nside: 16}}, out: sky_map}
  - analysis: {map: sky_map, lmax: 32, method: {jacobi: {iterations: ITERATIONS, scheme: pixel}}, out: found}
  - spectra: {alm: found, out: found_cl}
  - statistics: {spectra: found_cl, out: found_statistics}
outputs:
  sky_map: {file: "map_{}.h5"}
  found: {file: found.h5}
  found_cl: {file: "cl_{}.fits"}
  found_statistics: {file: statistics.h5}
execution: {batch: 1, map_groups: 2}
YAML

# plain MAPS ITERATIONS: makes plain-MAPS, the folder of an undisturbed run.
plain() {
  mkdir "$work/plain-$1"
  cp "$work/cmb_lcdm_dl.dat" "$work/plain-$1"
  sed "s/MAPS/$1/; s/ITERATIONS/$2/" "$work/campaign.yaml" >"$work/plain-$1/campaign.yaml"
  (cd "$work/plain-$1" && OMP_NUM_THREADS=1 timeout 120 "$ARMILLA_TRIAL_BINARY" run campaign.yaml >log.txt 2>&1) ||
    fail "the plain run: $(cat "$work/plain-$1/log.txt")"
}

# prepare NAME MAPS: goes to a fresh folder with the campaign.
prepare() {
  mkdir "$work/$1"
  cd "$work/$1"
  cp "$work/cmb_lcdm_dl.dat" "$work/plain-$2/campaign.yaml" .
}

done_maps() {
  find . -maxdepth 1 -name 'cl_*.fits' | wc -l
}

# Until two maps are there, and some are left.
wait_for_some() {
  for _ in $(seq 600); do
    [ "$(done_maps)" -lt 2 ] || break
    sleep 0.05
  done
  [ "$(done_maps)" -ge 2 ] || fail "$1: no map after 30 s: $(cat armilla-*.out)"
  [ "$(done_maps)" -lt "$few" ] || fail "$1: all maps were done before it was disturbed"
}

# kill_one: kills one of the ranks that work in this folder, as the kernel does for lack of memory.
kill_one() {
  local process
  for process in /proc/[0-9]*; do
    if [ "$(readlink "$process/cwd" 2>/dev/null)" = "$PWD" ] &&
      [ "$(readlink "$process/exe" 2>/dev/null)" = "$ARMILLA_TRIAL_BINARY" ]; then
      kill -KILL "${process##*/}"
      return
    fi
  done
  fail "no rank to kill: $(cat armilla-*.out)"
}

# compare NAME MAPS ID: the job has ended well, its files are those of the plain run.
compare() {
  local name
  [ "$state" = COMPLETED ] || fail "$1: job $3 ended as $state with $code: $(cat armilla-*.out)"
  for name in "$work/plain-$2"/*.{h5,fits}; do
    cmp "$name" "$(basename "$name")" || fail "$1: $(basename "$name") differs from the plain run's: $(cat armilla-*.out)"
  done
  echo "$1: $(find . -maxdepth 1 -name '*.h5' -o -maxdepth 1 -name '*.fits' | wc -l) files equal to the plain run's"
}

submit() {
  sbatch --parsable --nodes=4 --ntasks-per-node=2 "$@"
}

few=12
many=40
plain "$few" 25
ARMILLA_TRIAL_COUNT=$work/calls plain "$many" 25
# Slurm looks at time limits every 30 s, so that a limit of a minute with a request 45 s before it stops a run after 15 s
# to 45 s. The first run lasts for 70 s at least: each of its two groups makes half of the calls of the hook of phases.
read -r calls _ <"$work/calls.0"
cat >"$work/slow.env" <<ENV
[ "\${SLURM_RESTART_COUNT:-0}" != 0 ] || export ARMILLA_TRIAL_PAUSE=$((70 * 2 * 1000000 / calls))
ENV
start_cluster

prepare time_limit "$many"
id=$(ARMILLA_MACHINE=$work/slow.env ARMILLA_LAUNCHER=srun submit --time=1 --signal=B:USR1@45 \
  "$batch/campaign.sbatch" campaign.yaml)
wait_for "$id"
compare "stop before the time limit, srun" "$many" "$id"
[ "$(field "$id" Restarts)" -ge 1 ] || fail "the time limit did not stop the campaign: $(cat "armilla-$id.out")"
for words in "stopped, requeued" "restart 1"; do
  grep -q "$words" "armilla-$id.out" || fail "no '$words' in the log: $(cat "armilla-$id.out")"
done

prepare usr1 "$few"
id=$(ARMILLA_LAUNCHER=mpirun submit "$batch/campaign.sbatch" campaign.yaml)
wait_for_some "USR1, mpirun"
scancel --batch --signal=USR1 "$id"
wait_for "$id"
compare "USR1, mpirun" "$few" "$id"
[ "$(field "$id" Restarts)" = 1 ] || fail "USR1: the campaign was not requeued once: $(cat "armilla-$id.out")"

for launcher in srun mpirun; do
  prepare "requeue_$launcher" "$few"
  id=$(ARMILLA_LAUNCHER=$launcher submit "$batch/campaign.sbatch" campaign.yaml)
  wait_for_some "scontrol requeue, $launcher"
  scontrol requeue "$id"
  wait_for "$id"
  compare "scontrol requeue, $launcher" "$few" "$id"
  [ "$(field "$id" Restarts)" = 1 ] || fail "scontrol requeue: $(cat "armilla-$id.out")"

  prepare "kill_$launcher" "$few"
  id=$(ARMILLA_LAUNCHER=$launcher submit "$batch/campaign.sbatch" campaign.yaml)
  wait_for_some "SIGKILL, $launcher"
  kill_one
  wait_for "$id"
  compare "SIGKILL of one rank, $launcher" "$few" "$id"
  [ "$(field "$id" Restarts)" = 1 ] || fail "SIGKILL, $launcher: the campaign was not requeued once: $(cat "armilla-$id.out")"
  # The other ranks receive SIGTERM from srun, after which they exit with code 5.
  grep -qE "(a rank was killed .*|the launcher or a rank failed .*|stopped), requeued" "armilla-$id.out" || fail "$(cat "armilla-$id.out")"

  prepare "cancel_$launcher" "$few"
  id=$(ARMILLA_LAUNCHER=$launcher submit "$batch/campaign.sbatch" campaign.yaml)
  wait_for_some "scancel, $launcher"
  scancel "$id"
  wait_for "$id"
  [ "$state $(field "$id" Restarts)" = "CANCELLED 0" ] || fail "scancel: job $id ended as $state: $(cat "armilla-$id.out")"
  [ "$(done_maps)" -lt "$few" ] || fail "scancel: the campaign went on"
  id=$(ARMILLA_LAUNCHER=$launcher submit "$batch/campaign.sbatch" campaign.yaml)
  wait_for "$id"
  compare "scancel and again, $launcher" "$few" "$id"
done

prepare array "$few"
id=$(sbatch --parsable --array=1-2 --nodes=2 --ntasks-per-node=2 "$batch/campaign.sbatch" campaign.yaml)
wait_for "${id}_1"
other=$state
wait_for "${id}_2"
[ "$other" = COMPLETED ] || fail "array: part 1 ended as $other: $(cat armilla-*.out)"
compare "array of two" "$few" "$id"

id=$(sbatch --parsable --array=2-3 --nodes=1 "$batch/campaign.sbatch" campaign.yaml)
wait_for "${id}_2"
[ "$state $code" = "FAILED 2" ] || fail "an array without part 1 ended as $state with $code"
grep -q ARMILLA_PARTS armilla-*.out || fail "an array without part 1: the log does not say what to do"
echo "PASSED"
