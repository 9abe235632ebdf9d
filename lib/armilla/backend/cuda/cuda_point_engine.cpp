#include <armilla/backend/cuda/cuda_point_engine.hpp>
#include <armilla/backend/point_memory.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>
#include <span>

#include <kernels/core/device.hpp>

namespace armilla::backend {

namespace {

using core::at;

// Number of points copied to the device at a time.
constexpr Index kPointsAtOnce = Index{1} << 18;

}  // namespace

template <class T>
CudaPointEngine<T>::CudaPointEngine(const PointTables<T>& tables, Index work_bytes, const kernels::Stream& stream,
                                    const kernels::NufftKernels<T>& kernels)
    : stream_(stream),
      kernels_(kernels),
      window_(tables.window),
      columns_(tables.columns),
      field_size_(tables.field_size),
      beside_size_(tables.beside_size),
      values_(tables.values),
      fields_(tables.fields()),
      mirror_count_(static_cast<Index>(tables.mirrors.size())),
      chunk_count_(static_cast<Index>(tables.chunks.size())) {
  kernels::set_device(stream_.device());
  places_ = tables_.add(tables.places, stream_);
  mirrors_ = tables_.add(tables.mirrors, stream_);
  odd_ = tables_.add(tables.odd, stream_);
  chunks_ = tables_.add(tables.chunks, stream_);
  plan_spreading(tables, work_bytes);
  points_ = tables.placed ? tables.placed : upload_points(tables, stream_);
}

template <class T>
void CudaPointEngine<T>::plan_spreading(const PointTables<T>& tables, Index work_bytes) {
  const auto& cells = tables.cells;
  std::vector<std::size_t> shared, single;
  for (int colour = 0; colour < PointTables<T>::kColours; ++colour) {
    const auto before = static_cast<Index>(single.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (tables.colours[i] != colour) continue;
      const bool is_shared = (i > 0 && cells[i - 1] == cells[i]) || (i + 1 < cells.size() && cells[i + 1] == cells[i]);
      (is_shared ? shared : single).push_back(i);
    }
    colours_.push_back({before, static_cast<Index>(single.size()) - before});
  }
  std::vector<kernels::NufftChunk> chunks;
  for (const auto* some : {&shared, &single})
    for (const std::size_t i : *some) chunks.push_back(tables.chunks[i]);
  for (Range& range : colours_) range.begin += static_cast<Index>(shared.size());

  const Index bytes = sum_bytes<T>(window_.width, fields_);
  const auto count = static_cast<Index>(shared.size());
  const Index at_once = std::clamp(work_bytes / std::max(bytes, Index{1}), std::min<Index>(1, count), count);
  std::vector<kernels::NufftSums> sums;
  for (Index begin = 0; begin < count; begin += at_once) {
    Batch& batch = batches_.emplace_back(Batch{{begin, std::min(at_once, count - begin)}, {}});
    int colour = -1;
    for (Index i = 0; i < batch.chunks.count; ++i) {
      const std::size_t chunk = shared[at(begin + i)];
      const bool continues = i > 0 && cells[chunk] == cells[shared[at(begin + i - 1)]];
      if (continues) {
        sums.back().end = i + 1;
        continue;
      }
      if (tables.colours[chunk] != colour) batch.cells.push_back({static_cast<Index>(sums.size()), 0});
      colour = tables.colours[chunk];
      sums.push_back({i, i + 1, tables.chunks[chunk]});
      ++batch.cells.back().count;
    }
  }
  spread_chunks_ = tables_.add(chunks, stream_);
  cells_ = tables_.add(sums, stream_);
  sums_ = kernels::DeviceBuffer<T>(at_once * bytes / static_cast<Index>(sizeof(T)));
}

template <class T>
std::shared_ptr<const kernels::NufftPoint<T>> CudaPointEngine<T>::upload_points(const PointTables<T>& tables,
                                                                                const kernels::Stream& stream) {
  const auto points = std::make_shared<kernels::DeviceBuffer<kernels::NufftPoint<T>>>(tables.points);
  kernels::PinnedBuffer<kernels::NufftPoint<T>> some(std::min(tables.points, kPointsAtOnce));
  for (Index first = 0; first < tables.points; first += some.size()) {
    const Index count = std::min(some.size(), tables.points - first);
    tables.fill_points(first, std::span(some.data(), at(count)));
    kernels::copy(points->data() + first, some.data(), count, stream);
    stream.wait();
  }
  return {points, points->data().address()};
}

template <class T>
template <class Number>
kernels::NufftRowsOf<DevicePointer, Number> CudaPointEngine<T>::rows(Number* fields, T* beside) const {
  return {places_, columns_, field_size_, beside_size_, DevicePointer(fields), DevicePointer<Number>(beside)};
}

template <class T>
kernels::DeviceNufftMirrors<T> CudaPointEngine<T>::mirrors(T* fields, T* beside) const {
  return {mirrors_, mirror_count_, odd_, fields_, rows<T>(fields, beside)};
}

template <class T>
void CudaPointEngine<T>::interpolate(const T* fields, T* beside, T* values) {
  kernels::set_device(stream_.device());
  // The const_cast is safe: the kernel reads the fields and writes only to `beside`.
  kernels::fill_mirrors<T>(mirrors(const_cast<T*>(fields), beside), stream_.get());
  kernels_.interpolate({.window = window_,
                        .chunks = {points(), chunks_, chunk_count_},
                        .rows = rows<const T>(fields, beside),
                        .fields = fields_,
                        .value_stride = values_,
                        .values = DevicePointer(values)},
                       stream_.get());
  stream_.wait();
}

template <class T>
void CudaPointEngine<T>::add_points(const Range& chunks, DevicePointer<const T> values,
                                    const kernels::NufftRowsOf<DevicePointer, T>& rows, DevicePointer<T> sums) {
  kernels_.spread({.window = window_,
                   .chunks = {points(), spread_chunks_ + chunks.begin, chunks.count},
                   .rows = rows,
                   .fields = fields_,
                   .value_stride = values_,
                   .values = values,
                   .sums = sums},
                  stream_.get());
}

template <class T>
void CudaPointEngine<T>::spread(const T* values, T* fields, T* beside) {
  kernels::set_device(stream_.device());
  const auto to = rows<T>(fields, beside);
  const DevicePointer<const T> from(values);
  kernels::fill_zero(to.fields, fields_ * field_size_, stream_);
  kernels::fill_zero(to.beside, fields_ * beside_size_, stream_);
  for (const Batch& batch : batches_) {
    add_points(batch.chunks, from, to, sums_.data());
    for (const Range& cells : batch.cells)
      kernels::add_sums<T>({.width = window_.width,
                            .cells = cells_ + cells.begin,
                            .count = cells.count,
                            .rows = to,
                            .fields = fields_,
                            .sums = sums_.data()},
                           stream_.get());
  }
  for (const Range& chunks : colours_) add_points(chunks, from, to, nullptr);
  kernels::fold_mirrors<T>(mirrors(fields, beside), stream_.get());
  stream_.wait();
}

ARMILLA_INSTANTIATE_CLASS(CudaPointEngine);

}  // namespace armilla::backend
