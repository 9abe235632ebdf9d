#!/usr/bin/env bash
# scripts/slurm/transform.sbatch on a real Slurm with four virtual nodes: 4 nodes x 2 ranks write the same bytes as one
# rank without Slurm, with either launcher; errors come back as the job's exit code.
# Needs $ARMILLA_BINARY and $ARMILLA_SOURCE_DIR. Exit code 77: skipped, because Slurm is not installed.
set -euo pipefail

skip() {
  echo "SKIPPED: $*"
  exit 77
}
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# Debian has the daemons where ordinary users do not look.
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch srun mpirun; do
  command -v "$program" >/dev/null || skip "$program is not on PATH: install slurm-wlm, munge and Open MPI"
done

script=$ARMILLA_SOURCE_DIR/scripts/slurm/transform.sbatch
work=$(mktemp -d)
chmod 755 "$work"
cluster_up=""
cleanup() {
  [ -z "$cluster_up" ] || slurm_down || true
  rm -rf "$work" ${cluster_up:+"$cluster_up"}
}
trap cleanup EXIT

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

# shellcheck source=tests/slurm/virtual_cluster.sh
. "$ARMILLA_SOURCE_DIR/tests/slurm/virtual_cluster.sh"
cluster_up=$B
[ "$(sinfo -h -o '%T %D')" = "idle 4" ] || fail "the virtual cluster did not come up: $(sinfo 2>&1)"
if ! srun --mpi=list 2>&1 | grep -qw pmix; then skip "this Slurm was built without PMIx"; fi
export ARMILLA=$ARMILLA_BINARY OMP_WAIT_POLICY=passive
# A rank started by Slurm is no part of the ctest that may itself run under mpirun.
unset OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy

# Waits for a job; leaves its state in $state and its exit code in $code.
wait_for() {
  local record
  for _ in $(seq 600); do
    record=$(scontrol show job "$1")
    state=$(sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' <<<"$record")
    code=$(sed -n 's/.* ExitCode=\([0-9]*\):.*/\1/p' <<<"$record")
    case $state in PENDING | CONFIGURING | RUNNING | COMPLETING) sleep 0.2 ;; *) return ;; esac
  done
  scancel "$1"
  fail "job $1 is still $state after 120 s: $(cat "armilla-$1.out" 2>/dev/null)"
}

for launcher in srun mpirun; do
  cd "$work/$launcher"
  id=$(ARMILLA_LAUNCHER=$launcher sbatch --parsable --nodes=4 --ntasks-per-node=2 --cpus-per-task=2 "$script" job.yaml)
  wait_for "$id"
  [ "$state" = COMPLETED ] || fail "$launcher: job $id ended as $state: $(cat "armilla-$id.out")"
  for name in "${outputs[@]}"; do
    cmp "$work/plain/$name" "$name" || fail "$launcher: $name differs from the plain run's"
  done
  ranks=$(sed -n 's/.*"ranks": *\([0-9]*\).*/\1/p' "job-$id.report.json" | head -n 1)
  [ "$ranks" = 8 ] || fail "$launcher: the report speaks of '$ranks' ranks, not of 8"
  grep -q "8 ranks of 2 threads on 4 node(s), by $launcher" "armilla-$id.out" || fail "$launcher: $(cat "armilla-$id.out")"
  echo "$launcher: ${#outputs[@]} files equal to the plain run's"
done

cd "$work/srun"
id=$(sbatch --parsable --nodes=2 --ntasks-per-node=2 "$script" job.yaml --set steps.0.random_alm.lmaxx=3)
wait_for "$id"
[ "$state $code" = "FAILED 2" ] || fail "a bad key: job ended as $state with $code: $(cat "armilla-$id.out")"
grep -q lmaxx "armilla-$id.out" || fail "a bad key: the log does not name it: $(cat "armilla-$id.out")"

id=$(sbatch --parsable --nodes=1 "$script" nowhere.yaml)
wait_for "$id"
[ "$state $code" = "FAILED 2" ] || fail "no job file: job ended as $state with $code"
grep -q "no job file 'nowhere.yaml'" "armilla-$id.out" || fail "no job file: $(cat "armilla-$id.out")"
echo "PASSED"
