#include <armilla/core/error.hpp>
#include <armilla/grid/last_longitude.hpp>
#include <armilla/io/kernel_table.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/check_like.hpp>
#include <armilla/job/value/dropped_longitude.hpp>
#include <armilla/job/value/input_value.hpp>
#include <armilla/job/value/typed_item.hpp>

#include <type_traits>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

using FileInfo = std::variant<io::MapInfo, io::AlmInfo, io::PointsInfo, TableInfo>;

TableInfo open_table(const InputSpec& input, const std::string& file) {
  TableInfo info{file, core::state_of(file), {}};
  alm::SpectraTable table;
  if (input.sort == ValueSort::kTable) {
    io::KernelTable kernel = io::read_kernel_table(file);
    table.lmax = static_cast<Index>(kernel.theta.size()) - 1;
    table.names = {"theta", "kernel"};
    table.columns = {std::move(kernel.theta), std::move(kernel.values)};
  } else {
    table = io::read_spectra(file, input.spectrum_kind == SpectrumKind::kDl);
  }
  info.table = std::make_shared<const alm::SpectraTable>(std::move(table));
  core::check_unchanged(file, info.seen);
  return info;
}

FileInfo open_file(const InputSpec& input, const std::string& file) {
  const bool has_batch_axis = !input.items.empty() && input.items.files.empty();
  const io::BatchPolicy policy = has_batch_axis ? io::BatchPolicy::kTake : io::BatchPolicy::kRefuse;
  switch (input.sort) {
    case ValueSort::kMap:
      return io::open_map(file, policy);
    case ValueSort::kAlm:
      return io::open_alm(file, policy);
    case ValueSort::kPoints:
    case ValueSort::kValues:
      return io::open_points(file, input.catalogue.columns);
    default:
      return open_table(input, file);
  }
}

std::string first_line(const io::MapInfo& info) {
  return fmt::format("map on {}, {} components, {} rows", info.grid->description().text(), info.components, info.rows);
}
std::string first_line(const io::AlmInfo& info) {
  return fmt::format("alm with lmax {}, mmax {}, {} components", info.lmax, info.mmax, info.components);
}
std::string first_line(const io::PointsInfo& info) {
  return fmt::format("catalogue of {} points, {} components", info.points, info.components);
}
std::string first_line(const TableInfo& info) {
  return fmt::format("{} to l = {}, contents {:016x}", fmt::join(info.table->names, " "), info.table->lmax,
                     contents_hash(*info.table));
}

/// Combines the convention in the job with that in the file; if both specify it, they must agree.
void agree_with_job(const InputSpec& input, io::AlmInfo& info) {
  const ConventionSpec& asked = input.convention;
  const auto agree = [&](const char* key, const auto& wanted, bool file_says, auto& convention, const auto& names) {
    if (!wanted) return;
    if (file_says && *wanted != convention)
      refuse(asked.place, key, names[static_cast<std::size_t>(*wanted)],
             fmt::format("contradicts {}, which specifies '{}': remove the key, or fix the file", info.path,
                         names[static_cast<std::size_t>(convention)]));
    convention = *wanted;
  };
  agree("norm", asked.norm, info.says_norm, info.convention.norm, alm::kNormNames);
  agree("phase", asked.phase, info.says_phase, info.convention.phase, alm::kPhaseNames);
  agree("basis", asked.basis, info.says_basis, info.convention.basis, alm::kBasisNames);
}

/// Combines the catalogue description in the job with that in the file; if both specify it, they must agree.
void agree_with_job(const InputSpec& input, io::PointsInfo& info) {
  const auto agree = [&](const char* key, const std::string& wanted, std::string& in_file) {
    if (wanted.empty()) return;
    if (!in_file.empty() && wanted != in_file)
      refuse(input.place, key, wanted,
             fmt::format("contradicts {}, which specifies '{}': remove the key, or fix the file", info.path, in_file));
    in_file = wanted;
  };
  agree("coordsys", input.catalogue.coordsys, info.metadata.coordsys);
  agree("polcconv", input.catalogue.polcconv, info.metadata.polcconv);
}

template <class Info>
void agree_with_job(const InputSpec&, const Info&) {}

template <class T>
BadPixels read_component(const io::MapInfo& info, Index component, transform::MapField<T>& map, Index place, Index c) {
  // The description has another grid than the file only for RepeatedLongitude::kDrop.
  if (map.distribution().grid().npix() != info.grid->npix())
    return read_without_last_longitude(info, component, map, place, c);
  const auto ranges = map.distribution().pixel_ranges(map.rank());
  return io::read_map<T>(info, component, ranges, map.component(place, c), io::BadDataPolicy::kMark);
}
template <class T>
BadPixels read_component(const io::AlmInfo& info, Index component, transform::AlmField<T>& alm, Index place, Index c) {
  io::read_alm<T>(info, component, alm.distribution(), alm.rank(), alm.component(place, c));
  return {};
}
template <class T>
BadPixels read_component(const io::PointsInfo& info, Index component, points::PointField<T>& values, Index place,
                         Index c) {
  io::read_values<T>(info, component, values.points()->first, values.component(place, c));
  return {};
}

/// An opened file of a field.
template <class Info>
class FileItem final : public TypedItem<FileItem<Info>> {
 public:
  explicit FileItem(Info info) : info_(std::move(info)) {}

  core::FileState seen() const override { return info_.seen; }

  std::shared_ptr<const points::LocalPoints> places(int ranks, int rank) const override {
    if constexpr (std::is_same_v<Info, io::PointsInfo>) {
      auto own = std::make_shared<points::LocalPoints>();
      own->first = points::first_point(info_.points, ranks, rank);
      const auto count = static_cast<std::size_t>(points::first_point(info_.points, ranks, rank + 1) - own->first);
      own->theta.resize(count);
      own->phi.resize(count);
      io::read_places(info_, own->first, own->theta, own->phi);
      return own;
    } else {
      return SourceItem::places(ranks, rank);
    }
  }

  template <class T>
  BadPixels read_as(std::span<const Index> components, Value<T>& value, Index place) const {
    auto& field = *value.template find_own<FieldOf<T>>();
    Info info = info_;
    // With the names from the job, read_values() recognises U, whose sign depends on POLCCONV.
    if constexpr (std::is_same_v<Info, io::PointsInfo>) {
      info.metadata.fields.resize(static_cast<std::size_t>(info.components));
      for (std::size_t c = 0; c < components.size(); ++c)
        info.metadata.fields[static_cast<std::size_t>(components[c])] = field.kind().map_names()[c];
    }
    BadPixels bad;
    for (std::size_t c = 0; c < components.size(); ++c)
      bad += read_component<T>(info, components[c], field, place, static_cast<Index>(c));
    return bad;
  }

 private:
  template <class T>
  using FieldOf = std::conditional_t<
      std::is_same_v<Info, io::MapInfo>, transform::MapField<T>,
      std::conditional_t<std::is_same_v<Info, io::AlmInfo>, transform::AlmField<T>, points::PointField<T>>>;

  Info info_;
};

class FileSource final : public Source {
 public:
  FileSource(InputSpec input, BadMapPolicy policy) : input_(std::move(input)), first_(open_first(policy)) {
    std::visit([&](const auto& info) { seen_.push_back({{info.path, info.seen}, first_line(info)}); }, first_);
    described_ = describe(first_);
  }

  std::string text(Index item) const override {
    return input_.items.files.empty() ? input_.file : input_.items.files[static_cast<std::size_t>(item)];
  }

  std::unique_ptr<SourceItem> open(Index item) const override {
    return std::visit([&](const auto& first) { return open_like(first, item); }, first_);
  }

 private:
  /// Opens the file of the description.
  FileInfo open_first(BadMapPolicy policy) const {
    const std::vector<std::string>& files = input_.items.files;
    if (files.empty()) return open_and_agree(input_.file);
    std::string first_error;
    for (const std::string& file : files) {
      try {
        return open_and_agree(file);
      } catch (const core::InputError& error) {
        if (policy == BadMapPolicy::kStop) throw;
        if (first_error.empty()) first_error = error.what();
      }
    }
    complain(input_.place, {},
             fmt::format("none of the {} files can be used; error of the first: {}", files.size(), first_error));
  }

  FileInfo open_and_agree(const std::string& file) const {
    return at_place(input_.place, [&] {
      FileInfo info = open_file(input_, file);
      std::visit([&](auto& one) { agree_with_job(input_, one); }, info);
      input_value(input_, describe(info));
      return info;
    });
  }

  Described describe(const FileInfo& any) const {
    Described described{.sort = input_.sort};
    if (!input_.items.empty()) described.dimensions = {{"map", input_.items.labels}};
    std::visit(
        [&]<class Info>(const Info& info) {
          if constexpr (std::is_same_v<Info, TableInfo>) {
            described.table = info.table;
            described.lmax = info.table->lmax;
          } else {
            described.components = info.components;
            described.metadata = info.metadata;
            described.precision = info.precision;
          }
          if constexpr (std::is_same_v<Info, io::MapInfo>) described.grid = grid_of(info);
          if constexpr (std::is_same_v<Info, io::PointsInfo>) described.points = info.points;
          if constexpr (std::is_same_v<Info, io::AlmInfo>) {
            described.lmax = info.lmax;
            described.mmax = info.mmax;
            described.convention = info.convention;
          }
        },
        any);
    return described;
  }

  std::shared_ptr<const grid::RingGrid> grid_of(const io::MapInfo& info) const {
    if (input_.repeated_longitude != RepeatedLongitude::kDrop) return info.grid;
    try {
      return std::make_shared<const grid::RingGrid>(grid::without_last_longitude(*info.grid));
    } catch (const core::InputError& error) {
      refuse(input_.place, "repeated_longitude", "drop",
             fmt::format("does not apply to {}: {}", info.path, error.what()));
    }
  }

  template <class Info>
  std::unique_ptr<SourceItem> open_like(const Info& first, Index item) const {
    Info info = first;
    if (input_.items.files.empty()) {
      if constexpr (requires { info.batch; })
        if (!input_.items.empty()) info.batch.map = item;
    } else if (const std::string file = text(item); file != first.path) {
      info = std::get<Info>(open_file(input_, file));
      check_like(info, first);
    }
    if constexpr (std::is_same_v<Info, TableInfo>)
      return std::make_unique<TableItem>(info.table, core::SeenFile{info.path, info.seen});
    else
      return std::make_unique<FileItem<Info>>(std::move(info));
  }

  InputSpec input_;
  FileInfo first_;
};

}  // namespace

std::shared_ptr<const Source> open_files(const InputSpec& input, BadMapPolicy policy) {
  return std::make_shared<const FileSource>(input, policy);
}

std::shared_ptr<const grid::RingGrid> open_rings(const std::string& file) { return io::read_rings(file); }

Index maps_in_file(const InputSpec& input) {
  try {
    if (input.sort == ValueSort::kMap) return io::open_map(input.file, io::BatchPolicy::kTake).batch.maps;
    if (input.sort == ValueSort::kAlm) return io::open_alm(input.file, io::BatchPolicy::kTake).batch.maps;
  } catch (const core::InputError&) {
    return 0;
  }
  return 0;
}

}  // namespace armilla::job
