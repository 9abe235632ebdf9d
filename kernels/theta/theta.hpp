#pragma once

#include <complex>

#include <kernels/core/stream.hpp>
#include <kernels/theta/theta_task.hpp>

namespace armilla::kernels {

// The passes of resampling in theta between its FFTs, for some columns at once; between them one FFT of one length goes
// over all columns of a buffer, [column][length]. Each writes every number of its output that is named below, in an
// order of sums that depends on the task alone. All arrays are on the device; source is laid out [own m][source
// pair][north, south][component, map], delta as the task's targets say.

/// source -> sequences of length task.source_length; pairs before first_source count as zero.
void source_to_sequence(const DeviceThetaTask& task, const ThetaColumns& columns,
                        DevicePointer<const std::complex<double>> source, DevicePointer<std::complex<double>> sequence,
                        StreamHandle stream);
/// sequences -> source, all pairs.
void sequence_to_source(const DeviceThetaTask& task, const ThetaColumns& columns,
                        DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<double>> source,
                        StreamHandle stream);

/// Spectra of length change.from -> spectra of length change.to.
void change_spectrum(const DeviceThetaTask& task, const ThetaColumns& columns, const DeviceSpectrumChange& change,
                     DevicePointer<const std::complex<double>> in, DevicePointer<std::complex<double>> out,
                     StreamHandle stream);

/// Sequences of the fine grid -> delta at the targets that feel m; T is float or double.
template <class T>
void interpolate_targets(const DeviceThetaTask& task, const ThetaColumns& columns,
                         DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<T>> delta,
                         StreamHandle stream);
/// The transpose: delta -> sequences of the fine grid; rings that are not there or do not feel m count as zero.
template <class T>
void gather_targets(const DeviceThetaTask& task, const ThetaColumns& columns,
                    DevicePointer<const std::complex<T>> delta, DevicePointer<std::complex<double>> sequence,
                    StreamHandle stream);

/// The same where the targets are the pairs of the fine grid themselves; the task has no tables of weights.
template <class T>
void take_fine_grid(const DeviceThetaTask& task, const ThetaColumns& columns,
                    DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<T>> delta,
                    StreamHandle stream);
template <class T>
void put_fine_grid(const DeviceThetaTask& task, const ThetaColumns& columns, DevicePointer<const std::complex<T>> delta,
                   DevicePointer<std::complex<double>> sequence, StreamHandle stream);

// With a circle of rings in the task, for exact quadrature:

/// The same as gather_targets for rings as CircleRings::prepare makes them. `work` has room for circle_work numbers,
/// here and below.
template <class T>
void gather_circle(const DeviceThetaTask& task, const ThetaColumns& columns, DevicePointer<const std::complex<T>> delta,
                   DevicePointer<std::complex<double>> work, DevicePointer<std::complex<double>> sequence,
                   StreamHandle stream);
/// The transpose, as interpolate_targets.
template <class T>
void interpolate_circle(const DeviceThetaTask& task, const ThetaColumns& columns,
                        DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<double>> work,
                        DevicePointer<std::complex<T>> delta, StreamHandle stream);
Index circle_work(Index width);

/// sequences [column][length] *= weights [place] * gain * sign of the column.
void weigh_sequences(const DeviceThetaTask& task, const ThetaColumns& columns, DevicePointer<const double> weights,
                     double gain, int length, DevicePointer<std::complex<double>> sequence, StreamHandle stream);

}  // namespace armilla::kernels
