!> Barotropic vorticity model: d zeta / dt = - div((zeta + f) v), v without divergence, by Runge-Kutta steps. Without
!! friction, the Rossby-Haurwitz wave R = 4 of Williamson et al. (1992) keeps its shape and moves eastward by c.
program barotropic
  use, intrinsic :: iso_fortran_env, only: real64
  use armilla
  implicit none
  integer, parameter :: lmax = 42, nlat = 64, nlon = 128, wave = 4
  real(real64), parameter :: pi = acos(-1.0_real64), radius = 6.37122e6_real64, rotation = 7.292e-5_real64
  real(real64), parameter :: amplitude = 7.848e-6_real64, days = 5, step = 600
  real(real64), parameter :: c = (wave * (3 + wave) * amplitude - 2 * rotation) / ((1 + wave) * (2 + wave))
  type(armilla_session) :: session
  type(armilla_grid) :: grid
  type(armilla_transform) :: scalars, winds
  real(real64) :: sine(nlat), lon(nlon), vorticity(nlon, nlat), wind(nlon, nlat, 2), exact(nlon, nlat)
  complex(real64), allocatable :: zeta(:), derivatives(:, :), k1(:), k2(:), k3(:), k4(:)
  integer :: i, steps

  call session%create()
  call grid%create('gauss:64:128')
  call scalars%create(session, grid, lmax)
  call winds%create(session, grid, lmax, fields='U,V')
  allocate (zeta(scalars%alm_size()), derivatives(scalars%alm_size(), 2))
  sine = cos(grid%theta())  ! of the latitude
  lon = [(2 * pi * i / nlon, i = 0, nlon - 1)]

  vorticity = rossby_haurwitz(0.0_real64)
  call scalars%analysis(vorticity, zeta)
  steps = nint(days * 86400 / step)
  do i = 1, steps
    k1 = tendency(zeta)
    k2 = tendency(zeta + step / 2 * k1)
    k3 = tendency(zeta + step / 2 * k2)
    k4 = tendency(zeta + step * k3)
    zeta = zeta + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
  end do
  call scalars%synthesis(zeta, vorticity)
  exact = rossby_haurwitz(days * 86400)
  print '(a, es7.1)', 'largest error of the vorticity after 5 days, of its largest value: ', &
    maxval(abs(vorticity - exact)) / maxval(abs(exact))

contains

  !> The vorticity of the wave at a time.
  function rossby_haurwitz(time) result(zeta)
    real(real64), intent(in) :: time
    real(real64) :: zeta(nlon, nlat)
    integer :: j
    do j = 1, nlat
      zeta(:, j) = 2 * amplitude * sine(j) - 30 * amplitude * sine(j) * (1 - sine(j)**2)**(wave / 2) &
        * cos(wave * (lon - c * time))
    end do
  end function

  !> d zeta / dt.
  function tendency(zeta) result(change)
    complex(real64), intent(in) :: zeta(:)
    complex(real64), allocatable :: change(:)
    integer :: j
    derivatives(:, 1) = zeta
    derivatives(:, 2) = 0
    call winds%vector_fields(derivatives, wind, radius=radius)
    call scalars%synthesis(zeta, vorticity)
    do j = 1, nlat
      vorticity(:, j) = vorticity(:, j) + 2 * rotation * sine(j)
    end do
    wind(:, :, 1) = vorticity * wind(:, :, 1)
    wind(:, :, 2) = vorticity * wind(:, :, 2)
    call winds%vorticity_divergence(wind, derivatives, radius=radius)
    change = -derivatives(:, 2)
  end function
end program
