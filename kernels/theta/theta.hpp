#pragma once

#include <complex>

#include <kernels/core/stream.hpp>
#include <kernels/theta/theta_task.hpp>

namespace armilla::kernels {

// The passes of resampling in theta between its FFTs, for some columns at once. Between passes, an FFT of one length
// transforms all columns of a buffer, [column][length]. Each pass writes all output described below, with a summation
// order that depends only on the task. All arrays are on the device; source has the layout [local m][source
// pair][north, south][component, map], delta that of the task's targets.

/// source -> sequences of length task.source_length; pairs before first_source are treated as zero.
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

/// Sequences of the fine grid -> delta at the targets to which m contributes; T is float or double.
template <class T>
void interpolate_targets(const DeviceThetaTask& task, const ThetaColumns& columns,
                         DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<T>> delta,
                         StreamHandle stream);
/// The transpose: delta -> sequences of the fine grid. Absent rings, and rings to which m does not contribute, are
/// treated as zero.
template <class T>
void gather_targets(const DeviceThetaTask& task, const ThetaColumns& columns,
                    DevicePointer<const std::complex<T>> delta, DevicePointer<std::complex<double>> sequence,
                    StreamHandle stream);

/// Versions for targets that are the pairs of the fine grid. The task then has no tables of weights.
template <class T>
void take_fine_grid(const DeviceThetaTask& task, const ThetaColumns& columns,
                    DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<T>> delta,
                    StreamHandle stream);
template <class T>
void put_fine_grid(const DeviceThetaTask& task, const ThetaColumns& columns, DevicePointer<const std::complex<T>> delta,
                   DevicePointer<std::complex<double>> sequence, StreamHandle stream);

// With a circle of rings in the task, for exact quadrature:

/// Like gather_targets, for rings as prepared by CircleRings::prepare. `work` has space for circle_work values, here
/// and below.
template <class T>
void gather_circle(const DeviceThetaTask& task, const ThetaColumns& columns, DevicePointer<const std::complex<T>> delta,
                   DevicePointer<std::complex<double>> work, DevicePointer<std::complex<double>> sequence,
                   StreamHandle stream);
/// The transpose of gather_circle(), like interpolate_targets.
template <class T>
void interpolate_circle(const DeviceThetaTask& task, const ThetaColumns& columns,
                        DevicePointer<const std::complex<double>> sequence, DevicePointer<std::complex<double>> work,
                        DevicePointer<std::complex<T>> delta, StreamHandle stream);

/// sequences [column][length] *= weights [index in the sequence] * gain * sign of the column.
void weigh_sequences(const DeviceThetaTask& task, const ThetaColumns& columns, DevicePointer<const double> weights,
                     double gain, int length, DevicePointer<std::complex<double>> sequence, StreamHandle stream);

}  // namespace armilla::kernels
