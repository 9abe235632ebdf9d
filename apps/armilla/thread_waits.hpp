#pragma once

namespace armilla::app {

/// Limits how long idle OpenMP threads spin before they sleep, where the cores may be shared with other processes.
/// There a thread that spins can occupy the core that another thread of its team needs, and each transform then waits
/// for time slices of the operating system. GNU OpenMP reads the limit when it is loaded, so this function sets
/// GOMP_SPINCOUNT and executes the program again.
///
/// Returns without effect in batch jobs, whose cores are usually not shared, if threads are bound to cores, with one
/// thread, if OMP_WAIT_POLICY or GOMP_SPINCOUNT is set, and if the program was started as an argument of the dynamic
/// loader. Call before anything else.
void limit_thread_waits(char** argv);

}  // namespace armilla::app
