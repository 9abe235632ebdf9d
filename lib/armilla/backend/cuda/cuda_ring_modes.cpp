#include <armilla/backend/cuda/cuda_ring_modes.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>

#include <kernels/core/arithmetic.hpp>

namespace armilla::backend {

template <class T>
CudaRingModes<T>::CudaRingModes(const fft::RingTask& task, LegendreStage<T>& legendre, const kernels::Stream& stream)
    : tables_(task),
      ranges_(tables_.independent_ranges()),
      all_m_{0, static_cast<Index>(task.m_shift.size())},
      width_(task.width()),
      legendre_(legendre),
      stream_(stream),
      rings_(kernels::upload<kernels::SpectraRing>(tables_.rings(), stream)),
      turns_(kernels::upload<math::Turn>(tables_.turns(), stream)),
      m_shift_(kernels::upload<Index>(task.m_shift, stream)),
      first_slot_(kernels::upload<Index>(tables_.first_slot(), stream)),
      factor_(rings_.size()) {}

template <class T>
void CudaRingModes<T>::set_weights(std::span<const double> weight) {
  std::vector<double> factor;
  for (std::size_t slot = 0; slot < weight.size(); ++slot)
    factor.push_back(weight[slot] * static_cast<double>(tables_.rings()[slot].nphi));
  if (static_cast<Index>(factor.size()) != factor_.size())
    throw core::InternalError("ring modes: one weight per local ring is needed");
  kernels::copy(factor_.data(), factor.data(), factor_.size(), stream_);
  stream_.wait();
}

template <class T>
kernels::DeviceModeRings CudaRingModes<T>::rings_of_task() const {
  const auto slots = static_cast<Index>(tables_.rings().size());
  return {rings_.data(), turns_.data(), m_shift_.data(), first_slot_.data(), slots, width_};
}

template <class T>
kernels::DeviceRingModeTask<T> CudaRingModes<T>::task_of(const OrderRange& m, DevicePointer<Complex> modes) const {
  const auto slots = static_cast<Index>(tables_.rings().size());
  const Index felt = m.count() > 0 ? slots - tables_.first_slot()[static_cast<std::size_t>(m.begin)] : 0;
  return {rings_of_task(), m.begin, m.end, felt * width_, real(modes)};
}

template <class T>
void CudaRingModes<T>::gather(const OrderRange& m, DevicePointer<Complex> modes) {
  if (tables_.have_aliases(m)) kernels::gather_aliases(task_of(m, modes), stream_.get());
}

template <class T>
void CudaRingModes<T>::launch_subtract(const OrderRange& m, DevicePointer<const Complex> delta,
                                       kernels::SubtractFrom from, DevicePointer<Complex> modes) {
  kernels::subtract(kernels::DeviceSubtractTask<T>{task_of(m, modes), real(delta), factor_.data(), from},
                    stream_.get());
}

template <class T>
void CudaRingModes<T>::subtract(const Complex* delta, Complex* modes) {
  launch_subtract(all_m_, DevicePointer(delta), kernels::SubtractFrom::kModes, DevicePointer(modes));
  gather(all_m_, DevicePointer(modes));
  stream_.wait();
}

template <class T>
void CudaRingModes<T>::fold_aliases(Complex* delta) {
  const DevicePointer there(delta);
  launch_subtract(all_m_, there, kernels::SubtractFrom::kNothing, there);
  gather(all_m_, there);
  stream_.wait();
}

template <class T>
void CudaRingModes<T>::scale(std::span<const double> by, Complex* modes) {
  const auto maps = static_cast<Index>(by.size());
  if (by_.size() < maps) by_ = kernels::DeviceBuffer<double>(maps);
  kernels::copy(by_.data(), by.data(), maps, stream_);
  kernels::scale(kernels::DeviceScaleTask<T>{task_of(all_m_, DevicePointer(modes)), by_.data(), maps}, stream_.get());
  stream_.wait();
}

template <class T>
void CudaRingModes<T>::squares(const Complex* modes, std::span<double> sums) {
  const auto count = static_cast<Index>(sums.size());
  if (count == 0) return;
  if (sums_.size() < count) sums_ = kernels::DeviceBuffer<double>(count);
  const Index maps = count / static_cast<Index>(tables_.rings().size());
  kernels::squares(
      kernels::DeviceSquaresTask<T>{rings_of_task(), maps, real(DevicePointer(modes)), factor_.data(), sums_.data()},
      stream_.get());
  kernels::copy(sums.data(), sums_.data(), count, stream_);
  stream_.wait();
}

template <class T>
void CudaRingModes<T>::immediate_round(const ImmediateRound<T>& round) {
  if (legendre_.all_orders().count() != all_m_.count())
    throw core::InternalError("ring modes: the immediate scheme requires whole maps on one rank");
  // Without subtraction, all m are processed at once.
  const std::vector<OrderRange> at_once{all_m_};
  const DevicePointer modes(round.modes);
  const DevicePointer delta(round.delta);
  const DevicePointer alm(round.alm);
  const DevicePointer found = round.first ? alm : DevicePointer(round.found);
  for (const OrderRange& m : round.last ? at_once : ranges_) {
    gather(m, modes);
    legendre_.adjoint(m, modes, found);
    if (!round.first) kernels::Arithmetic<T>::add_rows(legendre_.rows(m), real(found), real(alm), stream_.get());
    if (round.last) continue;
    legendre_.synthesis(m, found, delta);
    launch_subtract(m, delta, kernels::SubtractFrom::kModes, modes);
  }
  stream_.wait();
}

ARMILLA_INSTANTIATE_CLASS(CudaRingModes);

}  // namespace armilla::backend
