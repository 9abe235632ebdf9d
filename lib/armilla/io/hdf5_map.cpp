#include <armilla/comm/phase.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_batch.hpp>
#include <armilla/io/hdf5_grid.hpp>
#include <armilla/io/hdf5_map.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/healpix_header.hpp>
#include <armilla/io/pixel_order.hpp>
#include <armilla/io/placed_dataset.hpp>
#include <armilla/io/root_stream.hpp>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr const char* kMapDataset = "map";

void check_pixels(const std::string& path, const Hdf5Shape& shape, const std::string& grid, Index npix) {
  if (shape.columns != npix)
    throw core::InputError(
        fmt::format("'{}': dataset 'map' has {} x {} values, but {} has {} pixels; the shape must be "
                    "[component][pixel] or [map][component][pixel]: correct the header or the data",
                    path, shape.rows, shape.columns, grid, npix));
}

}  // namespace

Hdf5Plan hdf5_map_plan(const FieldMetadata& metadata, const grid::RingGrid& grid, const WriteOptions& options) {
  const bool healpix = grid.description().is_full_healpix();
  const auto describe = [&metadata, &grid, &options, healpix](hid_t file, hid_t dataset) {
    if (healpix) {
      write_hdf5_index(dataset, "NSIDE", grid.description().nside);
      write_hdf5_text(dataset, "ORDERING", std::string(ordering_name(options.ordering)));
    } else {
      write_hdf5_grid(file, grid);
    }
    write_hdf5_metadata(dataset, metadata);
    write_hdf5_number(dataset, "BAD_DATA", kBadPixel);
  };
  return {.dataset = kMapDataset,
          .rows = static_cast<Index>(metadata.fields.size()),
          .columns = grid.npix(),
          .file_type = hdf5_real_file_type(options.precision),
          .describe = describe};
}

namespace {

// Gathers one component at a time on the root, which is the only writer.
template <class T>
void write_nested(const comm::Communicator& comm, const AtomicFile& file, const Hdf5Plan& plan,
                  const dist::PixelDistribution& pixels, std::span<const T> local) {
  const Index npix = pixels.grid().npix();
  const Index nside = pixels.grid().description().nside;
  const auto own = static_cast<std::size_t>(pixels.local_pixels(comm.rank()));
  PlacedDataset dataset(comm, file, plan);
  core::AlignedBuffer<T> ring, nested;
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    ring = core::AlignedBuffer<T>(npix);
    nested = core::AlignedBuffer<T>(npix);
  });
  PixelStream<T> stream(comm, pixels);
  const dist::PixelRange all{0, npix};
  for (Index c = 0; c < plan.rows; ++c) {
    stream.gather(local.subspan(static_cast<std::size_t>(c) * own, own), 0, npix, ring.span());
    comm::phase(comm, [&] {
      if (!comm.is_root()) return;
      ring_to_nested<T>(nside, ring.span(), nested.span());
      dataset.write_converted(0, c, {&all, 1}, hdf5_memory_type<T>().get(), nested.data());
    });
  }
  comm::phase(comm, [&] { dataset.finish(); });
}

}  // namespace

MapInfo open_hdf5_map(const std::string& path, const StatedHeader& stated) {
  const Hdf5Handle file = open_hdf5(path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kMapDataset, path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), kMapDataset, path);
  MapInfo info;
  info.path = path;
  info.format = Format::kHdf5;
  info.components = shape.rows;
  info.rows = shape.columns;
  info.batch = read_batch_axis(file.get(), shape, path);
  info.precision = hdf5_precision(dataset.get(), kMapDataset, path);
  if (hdf5_has_object(file.get(), "grid")) {
    info.grid = read_hdf5_grid(file.get(), path);
  } else {
    const bool is_forced = stated.nside && stated.nside->is_forced;
    const std::optional<Index> nside =
        agreed_nside(path, stated, is_forced ? std::nullopt : read_hdf5_index(dataset.get(), "NSIDE", path));
    info.ordering = agreed_ordering(path, stated, read_hdf5_text(dataset.get(), "ORDERING", path));
    check_pixels(path, shape, fmt::format("healpix nside {}", nside.value_or(0)), healpix_pixels(nside, path));
    info.grid = healpix_grid(nside, info.ordering, path);
  }
  check_pixels(path, shape, info.grid->description().text(), info.grid->npix());
  check_hdf5_counts(shape, kMapDataset, path);
  info.metadata = read_hdf5_metadata(dataset.get(), FileKind::kMap, info.components, path);
  agree_on_metadata(path, stated, info.metadata);
  const bool is_forced = stated.bad_value && stated.bad_value->is_forced;
  info.bad_value =
      agreed_bad_value(path, stated, is_forced ? std::nullopt : read_hdf5_number(dataset.get(), "BAD_DATA", path));
  return info;
}

template <class T>
void read_hdf5_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out) {
  const Hdf5Handle file = open_hdf5(info.path);
  const Hdf5Handle dataset = open_hdf5_dataset(file.get(), kMapDataset, info.path);
  const Hdf5Shape shape = hdf5_shape(dataset.get(), kMapDataset, info.path);
  if (shape.rows != info.components || shape.columns != info.rows || shape.maps != info.batch.maps)
    throw_changed(info.path);
  const Hdf5Handle type = hdf5_memory_type<T>();
  read_in_ring_order<T>(info.ordering, info.grid->description().nside, ranges, out,
                        [&](Index first, Index count, T* values) {
                          const dist::PixelRange range{first, count};
                          const Index row = info.batch.map * info.components + component;
                          read_hdf5_ranges(dataset.get(), type.get(), row, {&range, 1}, values, info.path);
                        });
}

template <class T>
void write_hdf5_map(const comm::Communicator& comm, const AtomicFile& file, const FieldMetadata& metadata,
                    const dist::PixelDistribution& pixels, std::span<const T> local, const WriteOptions& options) {
  const Hdf5Plan plan = hdf5_map_plan(metadata, pixels.grid(), options);
  if (options.ordering == Ordering::kNested) return write_nested<T>(comm, file, plan, pixels, local);
  const std::vector<dist::PixelRange> ranges = pixels.pixel_ranges(comm.rank());
  PlacedDataset dataset(comm, file, plan);
  comm::phase(comm, [&] {
    const Hdf5Handle type = hdf5_memory_type<T>();
    const Index own = pixels.local_pixels(comm.rank());
    for (Index row = 0; row < plan.rows; ++row)
      dataset.write_converted(0, row, ranges, type.get(), local.data() + row * own);
    dataset.finish();
  });
}

ARMILLA_INSTANTIATE(read_hdf5_map);
ARMILLA_INSTANTIATE(write_hdf5_map);

}  // namespace armilla::io
