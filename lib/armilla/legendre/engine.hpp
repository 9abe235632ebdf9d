#pragma once

#include <armilla/core/memory_estimate.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>
#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace armilla::legendre {

/// Observes the progress of an engine, or of a device, through its m.
class OrderWatch {
 public:
  virtual ~OrderWatch() = default;
  /// The local m that are passed on together with that of index k end before this index.
  virtual Index part_end(Index k) const = 0;
  /// Called by the thread that is about to process the local m with index k; may block. Indices come in ascending
  /// order.
  virtual void wanted(Index k) = 0;
  /// Called by that thread after it has processed m.
  virtual void done(Index k) = 0;
  /// Called by thread 0 when no m is left for it; other threads may still wait or work.
  virtual void rest() = 0;
};

/// Progress notification of an engine.
struct Progress {
  Progress() = default;
  template <std::invocable<double> Tell>
  Progress(Tell tell_) : tell(std::move(tell_)) {}

  std::function<void(double)> tell;  ///< called occasionally from one thread with the fraction done; may be empty
  OrderWatch* watch = nullptr;       ///< null if nothing is passed on
};

/// Called with pairs begin .. end - 1 of a task; kAllPairs ends after the last pair.
using PairHook = std::function<void(Index begin, Index end)>;
inline constexpr Index kAllPairs = std::numeric_limits<Index>::max();

/// Memory of one thread that an engine reuses between m and between calls.
class EngineWorkspace {
 public:
  virtual ~EngineWorkspace() = default;
};

/// Legendre stage of one rank. Each Delta_m(ring) and each a_lm is summed in an order that depends only on grid and
/// layout.
template <class T>
class Engine {
 public:
  using Complex = std::complex<T>;

  virtual ~Engine() = default;
  /// Upper bound for any engine, for transforms of degree `lmax` and `width` = components * maps on `pairs` pairs of
  /// rings, with the threads of the process. It is the memory of the fast engine, which uses the most.
  static core::MemoryEstimate memory(Index lmax, Index spin, Index pairs, Index width);

  /// Delta_m(ring) = sum over l of a_lm slambda_lm(ring), for all local m and all rings to which they contribute;
  /// overwrites delta. Uses the threads of the rank; one call at a time.
  void synthesis(const Complex* alm, Complex* delta, const Progress& progress);
  /// The transpose: a_lm = sum over rings of Delta_m(ring) slambda_lm(ring); overwrites alm. Uses the threads of the
  /// rank; one call at a time.
  void adjoint(const Complex* delta, Complex* alm, const Progress& progress);

  /// Number of local m.
  virtual Index count() const = 0;
  /// Whether tables of all m are kept from call to call (KeptLimits).
  virtual bool keeps_tables() const { return false; }
  /// Allocates memory for one thread, usable in all calls below.
  virtual std::unique_ptr<EngineWorkspace> make_workspace() const = 0;
  /// The synthesis of the local m with index k. Thread-safe; each thread needs its own workspace.
  virtual void synthesise(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace) const = 0;
  /// The adjoint for the local m with index k. Thread-safe; each thread needs its own workspace.
  virtual void apply_adjoint(Index k, const Complex* delta, Complex* alm, EngineWorkspace& workspace) const = 0;

  /// Pipelined variants of synthesise() and apply_adjoint(), for a consumer or producer of Delta. `written` is called
  /// when Delta of some pairs is complete, `wanted` before it is read. They are called for each pair at least once,
  /// possibly also for pairs to which m does not contribute. Delta is passed on while it is in the cache if the
  /// engine processes it in parts.
  virtual void synthesise_stepwise(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace,
                                   const PairHook& written) const {
    synthesise(k, alm, delta, workspace);
    written(0, kAllPairs);
  }
  virtual void apply_adjoint_stepwise(Index k, const Complex* delta, Complex* alm, EngineWorkspace& workspace,
                                      const PairHook& wanted) const {
    wanted(0, kAllPairs);
    apply_adjoint(k, delta, alm, workspace);
  }

 protected:
  /// Calls work(k, workspace) for the indices k of all local m on the threads of the rank. Pass a std::ref, which needs
  /// no allocation. Rethrows an exception of `work` after all threads have finished.
  void for_each_m(const Progress& progress, const std::function<void(Index, EngineWorkspace&)>& work);

 private:
  std::vector<std::unique_ptr<EngineWorkspace>> workspaces_;  ///< [thread], allocated by the thread that uses it
};

/// Limits in bytes of what the fast engine keeps from call to call. They affect the time of small transforms, but not
/// results of finite input.
struct KeptLimits {
  Index tables = 0;  ///< tables of the recurrence and start values, if those of all m of the transform take no more
  Index values = 0;  ///< values of the recurrence, if those of the local m take no more; requires kept tables

  /// The tables are read from the third-level caches faster than they are computed, by up to 15%. The values are read
  /// faster only from the second-level cache, by up to 40%.
  static KeptLimits of_machine();
};

/// Valid names: "auto", then the engines from the fastest to the simplest.
std::vector<std::string> engine_names();

/// The engine with that name; "auto" is the fastest. Throws InputError, listing the choices, for unknown names.
template <class T>
std::unique_ptr<Engine<T>> make_engine(const std::string& name, Task task);

/// The fast engine: the scalar two-step recurrence (Ishioka 2018), vectorised to the width of the machine, for many
/// maps at once. Spins 1 to 3 use it through a banded transform of the coefficients, except for the rings next to the
/// poles. Higher spins use the method of the reference engine.
template <class T>
std::unique_ptr<Engine<T>> make_fast_engine(Task task, const KeptLimits& limits = KeptLimits::of_machine());

/// The reference engine: textbook Wigner recurrence for any spin with extended range. It computes in double, and in
/// long double for the rings next to the poles. It is simple and accurate; faster engines are tested against it.
template <class T>
std::unique_ptr<Engine<T>> make_reference_engine(Task task);

}  // namespace armilla::legendre
