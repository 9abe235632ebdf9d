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

/// Follows an engine from m to m.
class OrderWatch {
 public:
  virtual ~OrderWatch() = default;
  /// Of the thread that is about to work on own m number k; waits until it may. Own m come in ascending order.
  virtual void wanted(Index k) = 0;
  /// Of the thread that has done so.
  virtual void done(Index k) = 0;
  /// Of thread 0, when no m is left for it: others may still wait for theirs, or work.
  virtual void rest() = 0;
};

/// What an engine tells while it works.
struct Progress {
  Progress() = default;
  template <std::invocable<double> Tell>
  Progress(Tell tell_) : tell(std::move(tell_)) {}

  std::function<void(double)> tell;  ///< called from one thread now and then with the part done, 0 to 1; may be empty
  OrderWatch* watch = nullptr;       ///< of engines on CPUs
};

/// Called with pairs begin .. end - 1 of a task; kAllPairs ends behind the last one.
using PairHook = std::function<void(Index begin, Index end)>;
inline constexpr Index kAllPairs = std::numeric_limits<Index>::max();

/// Memory of one thread that an engine keeps from m to m and from call to call.
class EngineWorkspace {
 public:
  virtual ~EngineWorkspace() = default;
};

/// Legendre stage of one rank. Each Delta_m(ring) and each a_lm is summed in an order that depends on grid and layout
/// only.
template <class T>
class Engine {
 public:
  using Complex = std::complex<T>;

  virtual ~Engine() = default;
  /// Of any engine, for transforms of degree `lmax` and `width` = components * maps on `pairs` pairs of rings, with the
  /// threads of the process: that of the fast engine, which takes the most.
  static core::MemoryEstimate memory(Index lmax, Index spin, Index pairs, Index width);

  /// Delta_m(ring) = sum over l of a_lm slambda_lm(ring), for all own m and all rings that feel them; overwrites delta.
  /// On the threads of the rank; one call at a time.
  void synthesis(const Complex* alm, Complex* delta, const Progress& progress);
  /// The transpose: a_lm = sum over rings of Delta_m(ring) slambda_lm(ring); overwrites alm. Likewise.
  void adjoint(const Complex* delta, Complex* alm, const Progress& progress);

  /// Number of own m.
  virtual Index count() const = 0;
  /// Memory for one thread, good for all calls below.
  virtual std::unique_ptr<EngineWorkspace> make_workspace() const = 0;
  /// What synthesis does for own m number k. Any number of threads at once, each with a workspace of its own.
  virtual void synthesise(Index k, const Complex* alm, Complex* delta, EngineWorkspace& workspace) const = 0;
  /// What adjoint does for own m number k. Likewise.
  virtual void apply_adjoint(Index k, const Complex* delta, Complex* alm, EngineWorkspace& workspace) const = 0;

  /// As synthesise() and apply_adjoint(), in step with who takes Delta, or makes it: `written` is called when Delta of
  /// some pairs is there, `wanted` before it is read, for each pair at least once, and maybe for pairs that do not feel
  /// m. So Delta is passed on while it is in the first-level cache, where the engine goes through it in parts.
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
  /// Calls work(k, workspace) for all own m on the threads of the rank. Give a std::ref: it costs no memory. Throws
  /// what the work threw, when all threads have ended.
  void for_each_m(const Progress& progress, const std::function<void(Index, EngineWorkspace&)>& work);

 private:
  std::vector<std::unique_ptr<EngineWorkspace>> workspaces_;  ///< [thread], each made by the thread that uses it
};

/// Names that may be asked for: "auto", then the engines from the fastest to the plainest.
std::vector<std::string> engine_names();

/// The engine of that name; "auto" is the fastest. Throws InputError, naming the choices, for others.
template <class T>
std::unique_ptr<Engine<T>> make_engine(const std::string& name, Task task);

/// The fast engine: the scalar two-step recurrence (Ishioka 2018) in vectors as wide as the machine has, many maps at
/// once; spins 1 to 3 through it by a banded transform of the coefficients, but for the rings next to the poles; higher
/// spins as the reference engine.
template <class T>
std::unique_ptr<Engine<T>> make_fast_engine(Task task);

/// The reference engine: Wigner recurrence for any spin in the order of the textbook, range-extended, in double with
/// the rings next to the poles in long double. Plain and exact; faster engines are tested against it.
template <class T>
std::unique_ptr<Engine<T>> make_reference_engine(Task task);

}  // namespace armilla::legendre
