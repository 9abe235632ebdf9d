#include <armilla/api/access.hpp>
#include <armilla/api/redistribution.hpp>

#include <complex>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "call_guard.hpp"
#include "interpreter_lock.hpp"
#include <fmt/format.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

namespace armilla::python {

namespace {

using Indices = HostArray<const Index>;

/// A redistribution of Armilla with arrays of Python: [component][value of the program], [component][own value]. A
/// component is a map of one scalar.
/// Kind::to_fields(redistribution, values, field, fill) and Kind::from_fields(redistribution, field, values) are its
/// calls.
template <class Kind>
class Mover {
 public:
  template <class... Arguments>
  explicit Mover(const Communicator& comm, Arguments&&... arguments)
      : comm_(std::make_shared<const Communicator>(comm)),
        kind_(comm, std::forward<Arguments>(arguments)...),
        uses_(uses_of(0, comm.size(), -1)) {}

  Index size() const { return kind_.redistribution.size(); }
  const Kind& kind() const { return kind_; }
  const Communicator& comm() const { return *comm_; }

  /// Collective. From values of the program to all values of the owners.
  template <class Value>
  void to_owners(nb::handle values, nb::handle owned, Index components, std::optional<Value> fill) {
    run<Value>("values", values, owned, components, [&](const Operands& operands) {
      auto field = kind_.template field<Value>(comm_, components, operands.written().values<Value>());
      return [this, values = operands.read().values<const Value>(), fill, field = std::move(field)]() mutable {
        kind_.to_fields(values, field, fill);
      };
    });
  }
  /// Collective. From the owners to values of the program.
  template <class Value>
  void from_owners(nb::handle owned, nb::handle values, Index components) {
    run<Value>(Kind::kName, owned, values, components, [&](const Operands& operands) {
      auto field =
          kind_.template field<Value>(comm_, components, api::for_reading(operands.read().values<const Value>()));
      return [this, values = operands.written().values<Value>(), field = std::move(field)]() mutable {
        kind_.from_fields(field, values);
      };
    });
  }

 private:
  template <class Value, class Prepare>
  void run(const char* name, nb::handle read, nb::handle written, Index components, const Prepare& prepare) {
    const CallGuard guard(is_busy_, uses_);
    const Operands operands(*comm_, {name, read, nb::dtype<Value>()}, {"out", written, nb::dtype<Value>()});
    const Unlocked unlocked;
    api::check_alike(*comm_, "a redistribution", fmt::format("{} components of {} bytes", components, sizeof(Value)));
    std::optional<decltype(prepare(operands))> move;
    comm::phase(*comm_, [&] { move.emplace(prepare(operands)); });
    (*move)();
  }

  std::shared_ptr<const Communicator> comm_;
  Kind kind_;
  Uses uses_;
  std::atomic<bool> is_busy_ = false;
};

struct PixelKind {
  static constexpr const char* kName = "map";

  PixelKind(const Communicator& comm, const Grid& grid, const Indices& pixels)
      : distribution(std::make_shared<const PixelDistribution>(grid.grid, comm.size())),
        redistribution(without_gil(comm, *distribution, span_of(pixels))) {}

  static PixelRedistribution without_gil(const Communicator& comm, const PixelDistribution& distribution,
                                         std::span<const Index> pixels) {
    const Unlocked unlocked;
    const grid::RingGrid& grid = distribution.grid();
    api::check_alike(comm, "PixelRedistribution",
                     fmt::format("{} ({} pixels)", grid.description().text(), grid.npix()));
    return {comm, distribution, pixels};
  }
  template <class T>
  Map<T> field(const std::shared_ptr<const Communicator>& comm, Index maps, std::span<T> values) const {
    return api::Access::make<Map<T>>(
        comm, std::make_shared<transform::MapField<T>>(FieldKind::scalar(), distribution, comm->rank(), maps, values,
                                                       backend::Access::kReadWrite));
  }
  template <class T>
  void to_fields(std::span<const T> values, Map<T>& map, std::optional<T> fill) const {
    redistribution.to_map(values, map, fill);
  }
  template <class T>
  void from_fields(const Map<T>& map, std::span<T> values) const {
    redistribution.from_map(map, values);
  }

  std::shared_ptr<const PixelDistribution> distribution;
  PixelRedistribution redistribution;
};

struct AlmKind {
  static constexpr const char* kName = "alm";

  /// Coefficients (l, m); without `l`, all of each m.
  AlmKind(const Communicator& comm, Index lmax, Index mmax, const std::optional<Indices>& l, const Indices& m)
      : distribution(std::make_shared<const AlmDistribution>(AlmLayout(lmax, mmax), comm.size())),
        redistribution(without_gil(comm, *distribution, l, span_of(m))) {}

  static AlmRedistribution without_gil(const Communicator& comm, const AlmDistribution& distribution,
                                       const std::optional<Indices>& l, std::span<const Index> m) {
    const std::span<const Index> degrees = l ? span_of(*l) : std::span<const Index>();
    const Unlocked unlocked;
    const AlmLayout& layout = distribution.layout();
    api::check_alike(comm, "AlmRedistribution",
                     fmt::format("lmax = {}, mmax = {}, {} l", layout.lmax(), layout.mmax(), l ? "with" : "without"));
    if (!l) return AlmRedistribution::of_orders(comm, distribution, m);
    return {comm, distribution, degrees, m};
  }
  template <class Value, class T = typename Value::value_type>
  Alm<T> field(const std::shared_ptr<const Communicator>& comm, Index maps, std::span<Value> values) const {
    return api::Access::make<Alm<T>>(
        comm, api::adopted_alm<T>(FieldKind::scalar(), distribution, comm->rank(), maps, values, true));
  }
  template <class T>
  void to_fields(std::span<const std::complex<T>> values, Alm<T>& alm, std::optional<std::complex<T>> fill) const {
    redistribution.to_alm(values, alm, fill);
  }
  template <class T>
  void from_fields(const Alm<T>& alm, std::span<std::complex<T>> values) const {
    redistribution.from_alm(alm, values);
  }

  std::shared_ptr<const AlmDistribution> distribution;
  AlmRedistribution redistribution;
};

template <class Value, class Class>
void bind_moves(Class& bound, const char* to_owners, const char* from_owners) {
  using M = typename Class::Type;
  bound
      .def(to_owners, &M::template to_owners<Value>, nb::arg("values"), nb::arg("out"), nb::arg("components"),
           nb::arg("fill").none())
      .def(from_owners, &M::template from_owners<Value>, nb::arg("owned"), nb::arg("out"), nb::arg("components"));
}

}  // namespace

void bind_redistribution(nb::module_& module) {
  using Pixels = Mover<PixelKind>;
  nb::class_<Pixels> pixels(module, "PixelMover", "See armilla.PixelRedistribution.");
  pixels
      .def(nb::init<const Communicator&, const Grid&, const Indices&>(), nb::arg("comm"), nb::arg("grid"),
           nb::arg("pixels"))
      .def_prop_ro("size", &Pixels::size)
      .def_prop_ro("own_size", [](const Pixels& p) { return p.kind().distribution->local_pixels(p.comm().rank()); })
      .def_prop_ro("pixel_ranges", [](const Pixels& p) { return ranges_of(p.comm(), *p.kind().distribution); });
  bind_moves<float>(pixels, "to_float32", "from_float32");
  bind_moves<double>(pixels, "to_float64", "from_float64");

  module.def(
      "pixel_ranges",
      [](const Communicator& comm, const Grid& grid) {
        return ranges_of(comm, PixelDistribution(grid.grid, comm.size()));
      },
      nb::arg("comm"), nb::arg("grid"), "The pixels of this rank in maps on a grid.");
  module.def(
      "local_m",
      [](const Communicator& comm, Index lmax, Index mmax) {
        return AlmDistribution(AlmLayout(lmax, mmax), comm.size()).local_m(comm.rank());
      },
      nb::arg("comm"), nb::arg("lmax"), nb::arg("mmax"), "The m of this rank in coefficients.");

  using Coefficients = Mover<AlmKind>;
  nb::class_<Coefficients> alm(module, "AlmMover", "See armilla.AlmRedistribution.");
  alm.def(nb::init<const Communicator&, Index, Index, const std::optional<Indices>&, const Indices&>(), nb::arg("comm"),
          nb::arg("lmax"), nb::arg("mmax"), nb::arg("l").none(), nb::arg("m"))
      .def_prop_ro("size", &Coefficients::size)
      .def_prop_ro("own_size", [](const Coefficients& c) { return c.kind().distribution->local_size(c.comm().rank()); })
      .def_prop_ro("local_m", [](const Coefficients& c) { return c.kind().distribution->local_m(c.comm().rank()); });
  bind_moves<std::complex<float>>(alm, "to_complex64", "from_complex64");
  bind_moves<std::complex<double>>(alm, "to_complex128", "from_complex128");
}

}  // namespace armilla::python
