# shellcheck shell=bash
# What the tests of batch scripts share: they source it first. Exit code 77: skipped, because Slurm is not installed.
# Needs $ARMILLA_BINARY, $ARMILLA_TRIAL_BINARY and $ARMILLA_SOURCE_DIR. Sets $work, a folder of the test, and removes it at the end.

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

# shellcheck disable=SC2034
batch=$ARMILLA_SOURCE_DIR/scripts/slurm
work=$(mktemp -d)
chmod 755 "$work"
cluster_up=""
cleanup() {
  [ -z "$cluster_up" ] || slurm_down || true
  rm -rf "$work" ${cluster_up:+"$cluster_up"}
}
trap cleanup EXIT

start_cluster() {
  # shellcheck source=tests/slurm/virtual_cluster.sh
  . "$ARMILLA_SOURCE_DIR/tests/slurm/virtual_cluster.sh"
  cluster_up=$B
  [ "$(sinfo -h -o '%T %D')" = "idle 4" ] || fail "the virtual cluster did not come up: $(sinfo 2>&1)"
  if ! srun --mpi=list 2>&1 | grep -qw pmix; then skip "this Slurm was built without PMIx"; fi
  # Eight ranks on few cores: ranks that wait yield the core.
  export OMP_WAIT_POLICY=passive OMPI_MCA_mpi_yield_when_idle=1
  # Open MPI's own TCP transport crashes in MPI_Init in about one of ten runs under Slurm (Open MPI 4.1: a message of
  # another rank arrives before its callback is registered). UCX does not: no crash in 46 runs. UCX prints to standard
  # output if a connection is closed by the other rank first in MPI_Finalize, unless only fatal errors are logged.
  export OMPI_MCA_pml=ucx OMPI_MCA_pml_ucx_tls=any OMPI_MCA_pml_ucx_devices=any UCX_TLS=tcp,self,sm UCX_NET_DEVICES=lo
  export UCX_LOG_LEVEL=fatal
  export ARMILLA=$ARMILLA_TRIAL_BINARY
  # A rank started by Slurm is no part of the ctest that may itself run under mpirun.
  unset OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_hwloc_base_binding_policy
}

# field JOB NAME: a field of the record of a job.
field() {
  scontrol show job "$1" | sed -n "s/.*[ ]$2=\([^ ]*\).*/\1/p" | head -n 1
}

# Waits for a job; leaves its state in $state and its exit code in $code. A job that Slurm keeps back after a requeue, for
# two minutes, starts two seconds after its steps have ended: Slurm confuses them with those of the next run, and a node that
# ended the job and is told to start it in the same second answers that it was already killed (FAILED with code 1).
wait_for() {
  for _ in $(seq 600); do
    state=$(field "$1" JobState)
    code=$(field "$1" ExitCode)
    code=${code%%:*}
    case $state in
      PENDING)
        if [ "$(field "$1" Reason)" = BeginTime ] && ! pgrep -f "slurmstepd: \[$1\." >/dev/null; then
          sleep 2
          scontrol update JobId="$1" StartTime=now
        fi
        sleep 0.2
        ;;
      CONFIGURING | RUNNING | COMPLETING) sleep 0.2 ;;
      *) return ;;
    esac
  done
  scancel "$1"
  fail "job $1 is still $state after 120 s: $(cat armilla*-"$1".out 2>/dev/null)"
}
