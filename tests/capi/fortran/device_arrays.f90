!> Calls of the Fortran module with arrays in device memory, for test_device_arrays.cpp.
module device_arrays
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64
  use armilla
  implicit none

contains

  !> On gauss:12:24 and lmax 11, wind at `map` and values at two points from coefficients, and coefficients from the wind,
  !! all in memory of the device. Returns the status of the first call that fails, or of one that must fail.
  integer(c_int) function fortran_on_device(communicator, alm, map, values, found) bind(c) result(code)
    integer(c_int), value :: communicator
    type(c_ptr), value :: alm, map, values, found
    type(armilla_session) :: session
    type(armilla_grid) :: grid
    type(armilla_transform) :: transform
    type(armilla_points) :: points
    complex(real64), pointer, contiguous :: alm_there(:, :), found_there(:, :)
    real(real64), pointer, contiguous :: map_there(:, :), values_there(:, :)
    integer :: status

    code = -1
    call session%create(communicator, status)
    if (status /= armilla_ok) return
    call grid%create('gauss:12:24', status)
    if (status /= armilla_ok) return
    call transform%create(session, grid, lmax=11, fields='U,V', backend='cuda', device_memory=.true., status=status)
    code = status
    if (status /= armilla_ok) return
    call points%create(session, lmax=11, theta=[0.5_real64, 2.0_real64], phi=[1.0_real64, -1.0_real64], fields='U,V', &
        backend='cuda', device_memory=.true., status=status)
    code = status
    if (status /= armilla_ok) return
    code = -2
    if (transform%device() < 0 .or. points%device() /= transform%device()) return
    call c_f_pointer(alm, alm_there, [int(transform%alm_size()) / 2, 2])
    call c_f_pointer(found, found_there, shape(alm_there))
    call c_f_pointer(map, map_there, [int(transform%map_size()) / 2, 2])
    call c_f_pointer(values, values_there, [2, 2])
    call transform%synthesis(alm_there, map_there, status)
    code = status
    if (status /= armilla_ok) return
    call points%synthesis(alm_there, values_there, status)
    code = status
    if (status /= armilla_ok) return
    call transform%analysis(map_there, found_there, status=status)
    code = status
  end function
end module
