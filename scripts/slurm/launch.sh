#!/usr/bin/env bash
# Functions for the batch scripts in this folder: machine settings, location of armilla, launcher and binding, signals,
# and requeueing. Batch scripts source this file. Each sets `script` to its name and `scripts` to this folder.
#
# As a program, it runs a verb of armilla on all ranks of an allocation, with the same settings, launcher and binding as
# the batch scripts:
#
#   sbatch [sbatch options] launch.sh VERB [options]           (or within salloc: launch.sh VERB [options])
#   sbatch --nodes=2 --ntasks-per-node=2 --cpus-per-task=64 --time=5 launch.sh doctor --folder "$SCRATCH"
#
# Environment variables, all optional (sbatch passes them on):
#   ARMILLA            the armilla to run. Default: the one on PATH, otherwise that of the installation or checkout
#                      (build/bin/armilla) that contains the scripts
#   ARMILLA_LAUNCHER   srun or mpirun. Default: srun if Slurm supports PMIx, otherwise mpirun
#   ARMILLA_MACHINE    machine settings: a file, or the name of one in machines/ (generic, cpu_cluster, gpu_cluster).
#                      Default: generic
#   ARMILLA_SRUN_OPTIONS, ARMILLA_MPIRUN_OPTIONS   additional launcher options, separated by spaces

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  script=launch.sh
  # Slurm runs a copy of this script from its spool folder. The job record has the path of the original.
  command=$(scontrol show job "${SLURM_JOB_ID:-}" 2>/dev/null | sed -n 's/^ *Command=\([^ ]*\).*/\1/p' | head -n 1) || true
  for scripts in "${ARMILLA_SCRIPTS:-}" "$(dirname "$0")" "$(dirname "${command:-$0}")" "${SLURM_SUBMIT_DIR:-.}/scripts/slurm"; do
    if [ -d "$scripts/machines" ]; then break; fi
  done
fi
: "${script:?}" "${scripts:?}"

die() {
  printf '%s: %s\n' "$script" "$*" >&2
  exit 2
}

# Sets all variables that are not set in the environment.
load_machine() {
  local machine=${ARMILLA_MACHINE:-generic}
  [ -f "$machine" ] || machine=$scripts/machines/$machine.env
  [ -f "$machine" ] || die "ARMILLA_MACHINE=${ARMILLA_MACHINE:-}: neither a file nor one of" "$scripts"/machines/*.env
  # shellcheck source=scripts/slurm/machines/generic.env
  . "$machine"
}

find_armilla() {
  if [ -n "${ARMILLA:-}" ]; then
    command -v "$ARMILLA" || die "ARMILLA=$ARMILLA is not an executable file"
    return
  fi
  command -v armilla && return
  local candidate
  # The scripts are in scripts/slurm of a checkout, or in share/armilla/slurm of an installation.
  for candidate in "$scripts/../../build/bin/armilla" "$scripts/../../../bin/armilla"; do
    if [ -x "$candidate" ]; then
      realpath "$candidate"
      return
    fi
  done
  die "armilla found neither on PATH nor with these scripts: set ARMILLA, or build it (cmake --build build)"
}

choose_launcher() {
  launcher=${ARMILLA_LAUNCHER:-}
  if [ -z "$launcher" ]; then
    # In two steps: with a pipe, grep -q may kill srun, and pipefail would then return the exit code of srun.
    local known
    known=$(srun --mpi=list 2>&1 || true)
    if grep -qw pmix <<<"$known"; then launcher=srun; else launcher=mpirun; fi
  fi
  case $launcher in srun | mpirun) ;; *) die "ARMILLA_LAUNCHER=$launcher: choose srun or mpirun" ;; esac
}

# Commands that each rank runs before it executes armilla. They are passed on the command line, because batch scripts
# exist only on the first node.
# shellcheck disable=SC2016
rank_start='
export OMP_NUM_THREADS=$ARMILLA_CPUS_PER_TASK
# Under mpirun, SLURM_LOCALID refers to its daemon, so the variables of Open MPI take precedence.
local_rank=${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-${SLURM_LOCALID:-0}}}
local_size=${OMPI_COMM_WORLD_LOCAL_SIZE:-${MPI_LOCALNRANKS:-${SLURM_STEP_TASKS_PER_NODE:-0}}}
# A rank that may use every CPU of its node is not bound. Binding its threads would place those of all ranks on the same
# cores, so they stay unbound. The exception is a rank that is alone on its node and fills it, hardware threads included.
online=$(getconf _NPROCESSORS_ONLN)
given=${SLURM_CPUS_ON_NODE:-$online}
mine=$(env -u OMP_NUM_THREADS nproc)
alone=$([ "${local_size%%(*}" != 1 ] || [ "$mine" -gt "$((2 * OMP_NUM_THREADS))" ] || echo yes)
if [ "$mine" -lt "$((given < online ? given : online))" ] || [ -n "$alone" ]; then
  export OMP_PLACES=${OMP_PLACES:-cores} OMP_PROC_BIND=${OMP_PROC_BIND:-close}
else
  unset OMP_PLACES
  export OMP_PROC_BIND=false
fi
# GPU nodes: one GPU per rank, selected by the local rank.
IFS=, read -ra gpus <<<"${CUDA_VISIBLE_DEVICES:-}"
if [ "${#gpus[@]}" -gt 1 ]; then
  export CUDA_VISIBLE_DEVICES=${gpus[local_rank % ${#gpus[@]}]}
fi
exec "$@"'

# launch_line RANKS: sets $launch, the launcher command for this number of ranks of the allocation.
launch_line() {
  local ranks=$1 more=()
  case $launcher in
    srun)
      read -ra more <<<"${ARMILLA_SRUN_OPTIONS:-}"
      # Since Slurm 22.05 srun does not inherit --cpus-per-task from the allocation.
      launch=(srun --mpi=pmix --ntasks="$ranks" --cpus-per-task="$ARMILLA_CPUS_PER_TASK" --kill-on-bad-exit=1 "${more[@]}")
      ;;
    mpirun)
      read -ra more <<<"${ARMILLA_MPIRUN_OPTIONS:-}"
      launch=(mpirun -n "$ranks")
      if grep -q 'Open MPI' <<<"$(mpirun --version 2>/dev/null || true)"; then
        # PE counts cores, Slurm hardware threads. If Slurm reports more CPUs than the node has, binding is impossible.
        local threads_per_core cores_per_task
        threads_per_core=$(LC_ALL=C lscpu | sed -n 's/^Thread(s) per core: *//p')
        cores_per_task=$(((ARMILLA_CPUS_PER_TASK + ${threads_per_core:-1} - 1) / ${threads_per_core:-1}))
        if [ "${SLURM_CPUS_ON_NODE:-1}" -le "$(getconf _NPROCESSORS_ONLN)" ]; then
          launch+=(--map-by "slot:PE=$cores_per_task" --bind-to core)
        else
          launch+=(--bind-to none)
        fi
      fi
      launch+=("${more[@]}")
      ;;
  esac
}

# Slurm sends its early stop request (--signal=B:USR1@SECONDS) only to the batch script. The script forwards it to the
# launcher, which forwards it to all ranks. Slurm sends SIGTERM on scancel, on scontrol requeue, and at the time limit.
launcher_pid=""
stop_asked=""
terminated=""
interrupted=""
forward() {
  interrupted=yes
  stop_asked=yes
  [ "$1" = USR1 ] || terminated=yes
  echo "job $SLURM_JOB_ID: SIG$1 at $(date +%T)${launcher_pid:+, forwarded to the ranks}"
  [ -z "$launcher_pid" ] || kill "-$1" "$launcher_pid" 2>/dev/null || true
}
trap 'forward USR1' USR1
trap 'forward TERM' TERM

# on_ranks RANKS ARGUMENTS: runs armilla with these arguments on this number of ranks. Sets $status to its exit code. After
# a stop request it sets $status to 5 without running armilla.
on_ranks() {
  local ranks=$1 code
  shift
  if [ -n "$stop_asked" ]; then
    status=5
    return
  fi
  launch_line "$ranks"
  # In the background, because bash runs a trap only after the foreground command has finished.
  "${launch[@]}" bash -c "$rank_start" armilla "$armilla" "$@" &
  launcher_pid=$!
  # A stop request may have arrived since the check above.
  if [ -n "$stop_asked" ]; then kill "-$([ -n "$terminated" ] && echo TERM || echo USR1)" "$launcher_pid" 2>/dev/null || true; fi
  # 127 is the code of a launcher that cannot be run, and that of `wait` for one that a wait before has found to have ended.
  status=127
  while :; do
    interrupted=""
    code=0
    wait "$launcher_pid" || code=$?
    [ "$code" = 127 ] || status=$code
    [ -n "$interrupted" ] || break
  done
  launcher_pid=""
}

# progress_of JOB SETTINGS: prints one line that changes when the journal of the job or a solver checkpoint advances.
# SETTINGS are the --set and --output-dir options of the run, which determine the location of outputs.
progress_of() {
  "$armilla" status "$@" --token || echo unknown
}

# seconds_left: prints the seconds until the time limit of the job; nothing if it has none.
seconds_left() {
  local job=$SLURM_JOB_ID end=${SLURM_JOB_END_TIME:-}
  # The number of the last task of an array is also that of the array.
  if [ -n "${SLURM_ARRAY_JOB_ID:-}" ]; then job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID; fi
  if [ -z "$end" ]; then
    end=$(scontrol show job "$job" 2>/dev/null | sed -n 's/^.* EndTime=\([^ ]*\).*/\1/p' | head -n 1) || true
    [ -n "$end" ] && end=$(date -d "$end" +%s 2>/dev/null) || return 0
  fi
  printf '%s\n' "$((end - $(date +%s)))"
}

# limit_time ARGUMENTS: sets the array $limit to a --max-time option for `armilla run`, unless the arguments contain one or
# the job has no time limit. The last minute, or the last tenth of a short job, is left for starting the ranks, for
# batches that take longer than expected, and for requeueing.
# shellcheck disable=SC2034
limit_time() {
  local argument left margin
  limit=()
  for argument in "$@"; do
    case $argument in --max-time | --max-time=*) return ;; esac
  done
  left=$(seconds_left)
  [ -n "$left" ] || return 0
  margin=$((left / 10))
  if [ "$margin" -gt 60 ]; then margin=60; fi
  if [ "$((left - margin))" -gt 0 ]; then limit=(--max-time "$((left - margin))s"); fi
}

# run_job JOB ARGUMENTS: runs `armilla run` on all ranks of the allocation, then exits with its exit code. After an early
# stop (exit code 5), or if a rank was killed, the job is requeued only if it has advanced, to prevent endless requeues.
# After scancel it is not requeued.
run_job() {
  local job=$1 name=$SLURM_JOB_ID argument report before after what advice is_value="" arguments=() settings=()
  shift
  [ -f "$job" ] || die "no job file '$job' (in $PWD)"
  if [ -n "${SLURM_ARRAY_JOB_ID:-}" ]; then name=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID; fi
  report=(--report "${job%.y*ml}-$name.report.json")
  for argument in "$@"; do
    if [ -n "$is_value" ]; then settings+=("$argument"); fi
    is_value=""
    case $argument in
      --report | --report=*) report=() ;;
      --set | --output-dir) settings+=("$argument") is_value=yes ;;
      --set=* | --output-dir=*) settings+=("$argument") ;;
      --restart)
        # Only the first run of this job starts over; later runs continue it.
        if [ "${SLURM_RESTART_COUNT:-0}" != 0 ]; then continue; fi
        ;;
    esac
    arguments+=("$argument")
  done
  printf 'job %s: %s ranks of %s threads on %s node(s), with %s: %s\n' "$SLURM_JOB_ID" "$tasks" "$ARMILLA_CPUS_PER_TASK" \
    "${SLURM_JOB_NUM_NODES:-1}" "$launcher" "$armilla run $job $*"
  [ "${SLURM_RESTART_COUNT:-0}" = 0 ] || echo "job $SLURM_JOB_ID: restart $SLURM_RESTART_COUNT"
  before=$(progress_of "$job" "${settings[@]}")
  on_ranks "$tasks" run "$job" "${report[@]}" "${arguments[@]}"
  case $status in
    0 | 2 | 3 | 4) exit "$status" ;;
    5)
      what=stopped
      advice="request more time (--time) or more ranks"
      ;;
    126 | 127)
      echo "job $SLURM_JOB_ID: the launcher failed (exit code $status): see its message above" >&2
      exit "$status"
      ;;
    # By mpirun after SIGKILL of a rank.
    137)
      what="a rank was killed (exit code $status), probably for lack of memory"
      advice="request more memory (--mem), more nodes or fewer ranks per node, or set a smaller execution.batch"
      ;;
    # 1 by mpirun, which could not start or lost a rank. By srun, that of a rank that lost its partner (16), or 128 + signal.
    *)
      what="the launcher or a rank failed (exit code $status)"
      advice="see the messages above"
      ;;
  esac
  if [ -z "$terminated" ]; then
    after=$(progress_of "$job" "${settings[@]}")
    if [ "$before" = "$after" ]; then
      echo "job $SLURM_JOB_ID: $what without progress, not requeued: $advice"
    elif scontrol requeue "$SLURM_JOB_ID"; then
      echo "job $SLURM_JOB_ID: $what, requeued"
    else
      echo "job $SLURM_JOB_ID: $what, but Slurm rejected the requeue: submit it again to continue"
    fi
  fi
  exit "$status"
}

[ -n "${SLURM_JOB_ID:-}" ] || die "not in a Slurm allocation: submit this script with sbatch, or run it within salloc"
load_machine
armilla=$(find_armilla)
tasks=${SLURM_NTASKS:-1}
export ARMILLA_CPUS_PER_TASK=${SLURM_CPUS_PER_TASK:-1}
choose_launcher

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  [ $# -ge 1 ] || die "usage: sbatch [sbatch options] launch.sh VERB [options]: see armilla --help"
  on_ranks "$tasks" "$@"
  exit "$status"
fi
