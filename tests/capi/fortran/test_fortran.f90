!> The Fortran module on the ranks of MPI_COMM_WORLD: prints each failure, and ends with an error if there is one.
program test_fortran
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use mpi
  use armilla
  implicit none
  integer :: failures = 0, ignored

  call MPI_Init(ignored)
  call test_transforms()
  call test_redistribution()
  call test_points_and_jobs()
  call test_errors()
  call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ignored)
  call MPI_Finalize(ignored)
  if (failures > 0) error stop 1

contains

  subroutine expect(is_true, what)
    logical, intent(in) :: is_true
    character(*), intent(in) :: what
    if (is_true) return
    failures = failures + 1
    print '(a)', 'FAILED: '//what//'; last error: '//armilla_error_message()
  end subroutine

  !> Round trips of arrays of ranks 1 to 3 and both kinds, with 1 and 2 maps.
  subroutine test_transforms()
    type(armilla_session) :: session
    type(armilla_grid) :: grid
    type(armilla_transform) :: doubles, singles
    complex(real64), allocatable :: alm(:, :), found(:, :), derivatives(:)
    complex(real32), allocatable :: alm32(:), found32(:)
    real(real64), allocatable :: map(:, :, :)
    real(real32), allocatable :: map32(:)
    real(real64) :: products(2)
    integer(int64), allocatable :: orders(:), ranges(:, :)
    integer :: i

    call session%create(MPI_COMM_WORLD)
    call grid%create('gauss:16:32')
    call expect(grid%rings() == 16 .and. grid%pixels() == 512, 'size of the grid')
    call expect(abs(sum(grid%weights()) - 4 * acos(-1.0_real64)) < 1e-13_real64, 'weights of the grid')
    call doubles%create(session, grid, lmax=12, maps=2, fields='U,V')
    allocate (alm(doubles%alm_size() / 4, 4), found(doubles%alm_size() / 4, 4), derivatives(doubles%alm_size()))
    allocate (map(doubles%map_size() / 4, 2, 2))
    alm = reshape([(cos(0.3_real64 * i), i = 1, size(alm))], shape(alm))
    orders = doubles%orders()
    if (size(orders) > 0) then
      if (orders(1) == 0) alm(1, :) = 0  ! there is no l = 0 of spin 1
    end if
    call doubles%synthesis(alm, map)
    call doubles%analysis(map, found)
    call expect(all(abs(found - alm) < 1e-12_real64), 'round trip')
    call doubles%vorticity_divergence(map, derivatives, radius=2.0_real64)
    map = 0
    call doubles%vector_fields(derivatives, map, radius=2.0_real64)
    call doubles%analysis(map, found)
    call expect(all(abs(found - alm) < 1e-12_real64), 'round trip of winds')
    call doubles%map_products(map, map, products)
    call expect(all(products > 0), 'inner products')
    ranges = doubles%pixel_ranges()
    call expect(sum(ranges(2, :)) * 4 == doubles%map_size(), 'ranges of pixels')

    call singles%create(session, grid, lmax=12, single_precision=.true.)
    allocate (alm32(singles%alm_size()), found32(singles%alm_size()), map32(singles%map_size()))
    alm32 = [(cos(0.3 * i), i = 1, size(alm32))]
    call singles%synthesis(alm32, map32)
    call singles%analysis(map32, found32, iterations=1)
    call expect(all(abs(found32 - alm32) < 1e-4), 'round trip in single precision')
  end subroutine

  subroutine test_redistribution()
    type(armilla_session) :: session
    type(armilla_grid) :: grid
    type(armilla_transform) :: transform
    type(armilla_redistribution) :: move
    integer(int64), allocatable :: pixels(:), ranges(:, :)
    real(real64), allocatable :: values(:), map(:), back(:, :)
    integer(int64) :: i, place

    call session%create(MPI_COMM_WORLD)
    call grid%create('healpix:4')
    call transform%create(session, grid, lmax=8)
    pixels = pack([(i, i = 1, 192)], [(mod(i, int(session%ranks(), int64)) == session%rank(), i = 1, 192)])
    call move%create_pixels(transform, pixels)
    call expect(move%size() == size(pixels), 'size of a redistribution')
    values = real(pixels, real64)
    allocate (map(transform%map_size()))
    call move%to_map(values, map)
    ranges = transform%pixel_ranges()
    place = 0
    do i = 1, size(ranges, 2)
      call expect(nint(map(place + 1)) == ranges(1, i), 'first pixel of a range')
      place = place + ranges(2, i)
      call expect(nint(map(place)) == ranges(1, i) + ranges(2, i) - 1, 'last pixel of a range')
    end do
    allocate (back(3, size(pixels)))
    back = 0
    call move%from_map(map, back, strides=armilla_strides(0, 0, 3))
    call expect(all(back(1, :) == values) .and. all(back(2:, :) == 0), 'values with strides')
  end subroutine

  subroutine test_points_and_jobs()
    type(armilla_session) :: session
    type(armilla_grid) :: grid
    type(armilla_transform) :: transform
    type(armilla_points) :: points
    type(armilla_job) :: job
    type(armilla_result) :: results
    real(real64), parameter :: pi = acos(-1.0_real64), theta(2) = [0.5_real64, 2.0_real64]
    real(real64) :: values(2)
    complex(real64), allocatable, target :: alm(:)
    real(real64), pointer :: map(:, :, :), spectra(:, :, :)
    integer(int64), allocatable :: orders(:)

    call session%create(MPI_COMM_WORLD)
    call grid%create('gauss:16:32')
    call transform%create(session, grid, lmax=12)
    allocate (alm(transform%alm_size()))
    alm = 0
    orders = transform%orders()
    if (size(orders) > 0) then
      if (orders(1) == 0) alm(1:2) = [sqrt(4 * pi), sqrt(4 * pi / 3)]  ! 1 + cos(theta)
    end if
    call points%create(session, lmax=12, theta=theta, phi=[1.0_real64, -1.0_real64], backend='cpu')
    call points%synthesis(alm, values)
    call expect(all(abs(values - 1 - cos(theta)) < 1e-9_real64), 'values at points')
    call job%create(session, 'version: 1'//new_line('a')//'execution: {precision: double}'//new_line('a')//'steps:'// &
      new_line('a')//'  - synthesis: {alm: sky, grid: {gauss: {nlat: 8}}, out: map}'//new_line('a')// &
      '  - spectra: {alm: sky, out: cl}')
    call job%input_alm('sky', transform, alm)
    call job%run(results)
    call results%map('map', map)
    call expect(size(map, 2) == 1 .and. all(abs(map - 1) < 1), 'map of a job')
    call results%spectra('cl', spectra)
    call expect(abs(spectra(2, 1, 1) - 4 * pi / 9) < 1e-12_real64, 'spectrum of a job')
  end subroutine

  subroutine test_errors()
    type(armilla_session) :: session
    type(armilla_grid) :: grid
    type(armilla_transform) :: transform, null
    complex(real64), allocatable :: alm(:)
    real(real64), allocatable :: map(:)
    integer :: status
    call session%create(MPI_COMM_WORLD)
    call grid%create('gauss:nonsense', status=status)
    call expect(status == armilla_input_error, 'grid of a wrong name')
    call grid%create('gauss:16:32')
    call transform%create(session, grid, lmax=12)
    allocate (alm(transform%alm_size()), map(transform%map_size()))
    alm = 0
    call null%synthesis(alm, map, status=status)
    call expect(status == armilla_input_error .and. index(armilla_error_message(), 'null') > 0, 'null transform')
    if (session%rank() == 0) then  ! an error of one rank is one of all
      call transform%synthesis(alm, map(2:), status=status)
    else
      call transform%synthesis(alm, map, status=status)
    end if
    call expect(status == armilla_input_error, 'wrong size on one rank')
    call transform%free()
    call transform%synthesis(alm, map, status=status)
    call expect(status == armilla_input_error, 'transform after free')
  end subroutine
end program
