# shellcheck shell=bash
# Starts Slurm with four virtual nodes, n1 to n4, on this machine, for tests. Source it as root or as an ordinary user.
# It requires the packages slurm-wlm and munge; Debian 12 has Slurm 22.05.
#
#   . virtual_cluster.sh
#   sbatch ...
#   slurm_down
#
# Sets SLURM_CONF and B, the folder of the cluster. The caller removes this folder after slurm_down. All traffic uses the
# loopback interface. Accounting is off, so sacct does not work: poll `scontrol show job` instead.
#
# Each start requires a new folder, because old PMIx files break MPI. Each node requires a separate TmpFS. Open MPI must
# use btl self,tcp, because all nodes share one host name.
B=$(mktemp -d /tmp/slurmXXXXXX)
chmod 755 "$B"
mkdir -p "$B"/{state,log,spool/n{1..4},tmp/n{1..4}}
chmod 1777 "$B"/tmp/n*
export SLURM_CONF=$B/slurm.conf
: >"$B/plugstack.conf"
head -c 128 /dev/urandom >"$B/key"
chmod 600 "$B/key"
cat >"$SLURM_CONF" <<CONF
ClusterName=ci
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=16817
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$B/munge.sock
StateSaveLocation=$B/state
SlurmdSpoolDir=$B/spool/%n
TmpFS=$B/tmp/%n
SlurmctldPidFile=$B/ctld.pid
SlurmdPidFile=$B/slurmd.%n.pid
SlurmctldLogFile=$B/log/ctld.log
SlurmdLogFile=$B/log/%n.log
PlugStackConfig=$B/plugstack.conf
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=pmix
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc=$B/log/jobcomp.txt
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
SlurmdTimeout=10
KillWait=5
NodeName=n[1-4] NodeAddr=127.0.0.1 Port=[17001-17004] CPUs=8 RealMemory=64000
PartitionName=ci Nodes=ALL Default=YES MaxTime=10 DefaultTime=5 State=UP
CONF

slurm_pids=()
# In the order of starting; slurm_down stops the nodes first, munged last.
slurm_start() {
  local log=$1
  shift
  "$@" </dev/null &>"$B/log/$log.out" &
  slurm_pids=("$!" "${slurm_pids[@]}")
}
slurm_down() {
  local pid
  for pid in "${slurm_pids[@]}"; do
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
}

slurm_start munged munged -F --key-file="$B/key" --socket="$B/munge.sock" --pid-file="$B/munge.pid" \
  --log-file="$B/log/munged.log" --seed-file="$B/seed" --num-threads=10
for _ in {1..50}; do
  munge -S "$B/munge.sock" -n &>/dev/null && break
  sleep 0.1
done
slurm_start ctld slurmctld -D -c
for node in n{1..4}; do slurm_start "$node" slurmd -D -N "$node"; done
# The cluster is up within about 1 s on an idle machine.
for _ in {1..300}; do
  [ "$(sinfo -h -o '%T %D' 2>/dev/null)" = "idle 4" ] && break
  sleep 0.1
done
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
