#include <armilla/api/access.hpp>
#include <armilla/api/job.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/core/timer.hpp>

#include <algorithm>
#include <atomic>
#include <complex>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call_guard.hpp"
#include "interpreter_lock.hpp"
#include "python_words.hpp"
#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace armilla::python {

namespace {

/// Jobs share the transforms that a communicator keeps, whose collective calls come from one thread at a time. A
/// callback of a job may run others.
std::recursive_mutex run_mutex;

/// Ends a run if the program is interrupted, or if its callback has raised an exception.
class Interruption {
 public:
  explicit Interruption(nb::object progress) : progress_(std::move(progress)) {}

  /// For core::StopQuestion. Takes the GIL at most every kSeconds.
  std::optional<core::CaughtError> ask() {
    if (!raised_ && core::now_seconds() - asked_at_ >= kSeconds) {
      const Locked locked;
      check_signals();
    }
    if (raised_) return core::CaughtError{core::ErrorKind::kStopped, kText};
    return std::nullopt;
  }

  /// For JobOptions::progress.
  void tell(double fraction, const std::string& what) {
    const Locked locked;
    if (!raised_) check_signals();
    if (!raised_ && !progress_.is_none()) {
      try {
        progress_(fraction, what);
      } catch (nb::python_error& error) {
        raised_.emplace(error);
      }
    }
    if (raised_) throw core::Stopped(kText);
  }

  /// With the GIL: forgets what an earlier run raised.
  void forget() { raised_.reset(); }

  /// With the GIL: throws what was raised.
  void rethrow() {
    if (!raised_) return;
    nb::python_error raised = *raised_;
    raised_.reset();
    throw raised;
  }

 private:
  static constexpr double kSeconds = 0.05;
  static constexpr const char* kText = "stopped by an exception in Python";

  // In threads other than the main one, Python handles no signals, and this does nothing.
  void check_signals() {
    asked_at_ = core::now_seconds();
    if (PyErr_CheckSignals() != 0) raised_.emplace();
  }

  nb::object progress_;
  std::optional<nb::python_error> raised_;
  double asked_at_ = 0;
};

/// A job, with the arrays that it reads.
class JobOfArrays {
 public:
  JobOfArrays(const Communicator& comm, const std::string& yaml, const std::string& file, nb::object progress,
              std::optional<PythonCall> call)
      : comm_(comm), file_(file), call_(std::move(call)), interruption_(std::make_unique<Interruption>(progress)) {
    JobOptions options{.file = file};
    options.progress = [at = interruption_.get()](double fraction, const std::string& what) {
      at->tell(fraction, what);
    };
    if (call_) options.word = [this](const core::ErrorContext& context) { return worded(context); };
    job_.emplace(comm, yaml, std::move(options));
  }

  template <class T>
  void input_map(const std::string& name, const Grid& grid, const FieldKind& fields, Index maps,
                 const HostArray<const T>& values, InputFacts facts) {
    reads(values, [&] {
      auto pixels = std::make_shared<const PixelDistribution>(grid.grid, comm_.size());
      check_size(name, values.size(), pixels->local_pixels(comm_.rank()), fields.components() * maps,
                 "pixels of the grid, those of Transform.pixel_ranges");
      auto field = std::make_shared<transform::MapField<T>>(fields, std::move(pixels), comm_.rank(), maps,
                                                            api::for_reading(span_of(values)), backend::Access::kRead);
      job_->input(name, api::Access::make<Map<T>>(shared_comm(), std::move(field)), std::move(facts));
    });
  }

  template <class T>
  void input_alm(const std::string& name, Index lmax, Index mmax, const FieldKind& fields, Index maps,
                 const HostArray<const std::complex<T>>& values, InputFacts facts) {
    reads(values, [&] {
      auto layout = std::make_shared<const AlmDistribution>(AlmLayout(lmax, mmax), comm_.size());
      check_size(name, values.size(), layout->local_size(comm_.rank()), fields.components() * maps,
                 "coefficients, those of Transform.local_m");
      auto field = std::make_shared<transform::AlmField<T>>(fields, std::move(layout), comm_.rank(), maps,
                                                            api::for_reading(span_of(values)), backend::Access::kRead);
      job_->input(name, api::Access::make<Alm<T>>(shared_comm(), std::move(field)), std::move(facts));
    });
  }

  template <class T>
  void input_points(const std::string& name, const HostArray<const double>& theta, const HostArray<const double>& phi,
                    const FieldKind& fields, Index maps, const HostArray<const T>& values, InputFacts facts) {
    in_words([&] {
      const Unlocked unlocked;
      const std::lock_guard lock(run_mutex);
      PointValues<T> points(comm_, copy_of(theta), copy_of(phi), fields, maps);
      const std::span<const T> from = span_of(values);
      if (from.size() != points.data().size())
        throw InputError(fmt::format("{} has {} values, but {} points, {} fields and {} maps: pass one for each", name,
                                     from.size(), points.theta().size(), fields.components(), maps));
      std::copy(from.begin(), from.end(), points.data().begin());
      job_->input(name, points, std::move(facts));
    });
  }

  void input_positions(const std::string& name, const HostArray<const double>& theta,
                       const HostArray<const double>& phi, const std::string& coordsys) {
    in_words([&] {
      const Unlocked unlocked;
      const std::lock_guard lock(run_mutex);
      job_->input(name, PointValues<double>(comm_, copy_of(theta), copy_of(phi)), {{}, coordsys});
    });
  }

  void input_spectra(const std::string& name, const std::vector<std::string>& names, Index maps,
                     const HostArray<const double>& values, const std::string& unit) {
    in_words([&] {
      const std::span<const double> all = span_of(values);
      if (all.empty() || maps == 0 || names.empty()) throw InputError(fmt::format("{} has no values", name));
      const std::size_t length = all.size() / (core::at(maps) * names.size());
      std::vector<SpectraTable> tables;
      for (auto from = all.begin(); from != all.end();) {
        SpectraTable& table = tables.emplace_back(SpectraTable{static_cast<Index>(length) - 1, names, {}, unit});
        for (std::size_t i = 0; i < names.size(); ++i, from += static_cast<std::ptrdiff_t>(length))
          table.columns.emplace_back(from, from + static_cast<std::ptrdiff_t>(length));
      }
      job_->input(name, tables);
    });
  }

  void input_kernel(const std::string& name, const HostArray<const double>& theta,
                    const HostArray<const double>& kernel) {
    in_words([&] { job_->input_kernel(name, copy_of(theta), copy_of(kernel)); });
  }

  void keep(const std::string& name) {
    in_words([&] { job_->keep(name); });
  }

  std::unique_ptr<JobResult> run() {
    // The job may set another number of threads than the default, or use a device.
    const CallGuard guard(is_busy_, Uses::kThreadsOrDevices);
    interruption_->forget();
    std::optional<JobResult> result;
    const auto run = [&] {
      const Unlocked unlocked;
      const std::lock_guard lock(run_mutex);
      const core::StopQuestion question([this] { return interruption_->ask(); });
      result.emplace(job_->run());
    };
    try {
      in_words(run);
    } catch (const core::Stopped&) {
      interruption_->rethrow();
      throw;
    }
    interruption_->rethrow();
    return std::make_unique<JobResult>(std::move(*result));
  }

 private:
  static std::vector<double> copy_of(const HostArray<const double>& array) {
    const std::span<const double> all = span_of(array);
    return {all.begin(), all.end()};
  }

  std::shared_ptr<const Communicator> shared_comm() const { return std::make_shared<const Communicator>(comm_); }

  std::string worded(const core::ErrorContext& context) const {
    return call_ ? python_message(*call_, context, file_) : core::sentence(context);
  }

  /// Calls work(). Errors about keys of the job are in the words of the call.
  template <class Work>
  void in_words(const Work& work) const {
    try {
      work();
    } catch (const core::Stopped&) {
      throw;
    } catch (const core::Error& error) {
      if (!error.context()) throw;
      set_error({error.kind(), worded(*error.context()), error.context()});
      throw nb::python_error();
    }
  }

  /// Gives an input whose memory is that of an array, which is kept.
  template <class Array, class Work>
  void reads(const Array& array, const Work& work) {
    in_words(work);
    kept_.push_back(nb::cast(array));
  }

  void check_size(const std::string& name, std::size_t size, Index each, Index parts, const char* what) const {
    if (size != core::at(each * parts))
      throw InputError(fmt::format("{} has {} values for each component and map on rank {} of {}, which has {} {}",
                                   name, size / core::at(parts), comm_.rank(), comm_.size(), each, what));
  }

  Communicator comm_;
  std::string file_;
  std::optional<PythonCall> call_;
  std::unique_ptr<Interruption> interruption_;
  std::vector<nb::object> kept_;  // outlives the job
  std::optional<Job> job_;
  std::atomic<bool> is_busy_ = false;
};

template <class T>
void bind_inputs(nb::class_<JobOfArrays>& job) {
  job.def("input_map", &JobOfArrays::input_map<T>, nb::arg("name"), nb::arg("grid"), nb::arg("fields"), nb::arg("maps"),
          nb::arg("values").noconvert(), nb::arg("facts"))
      .def("input_alm", &JobOfArrays::input_alm<T>, nb::arg("name"), nb::arg("lmax"), nb::arg("mmax"),
           nb::arg("fields"), nb::arg("maps"), nb::arg("values").noconvert(), nb::arg("facts"))
      .def("input_points", &JobOfArrays::input_points<T>, nb::arg("name"), nb::arg("theta"), nb::arg("phi"),
           nb::arg("fields"), nb::arg("maps"), nb::arg("values").noconvert(), nb::arg("facts"));
}

PythonCall::Kind kind_of(const std::string& name) {
  if (name == "read") return PythonCall::Kind::kRead;
  return name == "write" ? PythonCall::Kind::kWrite : PythonCall::Kind::kStep;
}

}  // namespace

void bind_job(nb::module_& module) {
  nb::class_<InputFacts>(module, "InputFacts", "Units of each component, and coordinates.")
      .def(
          "__init__",
          [](InputFacts* self, std::vector<std::string> units, std::string coordsys) {
            new (self) InputFacts{std::move(units), std::move(coordsys)};
          },
          nb::arg("units"), nb::arg("coordsys"))
      .def_ro("units", &InputFacts::units)
      .def_ro("coordsys", &InputFacts::coordsys);
  nb::class_<PythonCall>(module, "PythonCall", "The call that a job stands for, for messages.")
      .def(
          "__init__",
          [](PythonCall* self, std::string function, std::map<std::string, std::string> arguments,
             std::map<std::string, std::string> files) {
            const PythonCall::Kind kind = kind_of(function);
            new (self) PythonCall{kind, std::move(function), std::move(arguments), std::move(files)};
          },
          nb::arg("function"), nb::arg("arguments"), nb::arg("files"));
  nb::class_<JobOfArrays> job(module, "Job", "See armilla.run().");
  job.def(
         nb::init<const Communicator&, const std::string&, const std::string&, nb::object, std::optional<PythonCall>>(),
         nb::arg("comm"), nb::arg("yaml"), nb::arg("file"), nb::arg("progress").none(), nb::arg("call").none())
      .def("input_positions", &JobOfArrays::input_positions)
      .def("input_spectra", &JobOfArrays::input_spectra)
      .def("input_kernel", &JobOfArrays::input_kernel)
      .def("keep", &JobOfArrays::keep)
      .def("run", &JobOfArrays::run);
  bind_inputs<float>(job);
  bind_inputs<double>(job);
}

}  // namespace armilla::python
