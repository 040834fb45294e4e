//// is_matrix_product
/// Whether a kernel adds a product of matrices in lists of these lengths: whether all elements exist, the rows of the first are
/// apart, and there are so many products that it takes less time than loops.
fn is_matrix_product(
    [to, a, b]: [usize; 3],
    [to_first, to_row]: [usize; 2],
    [a_first, a_row, a_column]: [usize; 3],
    [b_first, b_row, b_column]: [usize; 3],
    [rows, columns, inner]: [usize; 3],
) -> bool {
    let exists = |len: usize, first: usize, down: (usize, usize), across: (usize, usize)| {
        let to_last = |(count, distance): (usize, usize)| distance.saturating_mul(count - 1);
        let last = to_last(down).saturating_add(to_last(across));
        last.saturating_add(first) < len
    };
    rows.saturating_mul(columns).saturating_mul(inner) >= 4096
        && to_row >= columns
        && exists(to, to_first, (rows, to_row), (columns, 1))
        && exists(a, a_first, (rows, a_row), (inner, a_column))
        && exists(b, b_first, (inner, b_row), (columns, b_column))
}
//// add_matrix_product
/// Adds a product of matrices: `to[i, j] += a[i, k] * b[k, j]`, each element in the order of `k`, which falls if `DOWN`.
///
/// A matrix lies in a list from its first element, with these distances of the next row and of the next column, which is 1 for
/// `to`; `sizes` are the numbers of `i`, `j` and `k`.
fn add_matrix_product<const STRONG: bool, const DOWN: bool>(
    to: &mut [f64],
    [to_first, to_row]: [usize; 2],
    a: &[f64],
    [a_first, a_row, a_column]: [usize; 3],
    b: &[f64],
    [b_first, b_row, b_column]: [usize; 3],
    [rows, columns, inner]: [usize; 3],
) {
    // Tiles of `to` fit into registers, and a panel of `b` into the first cache.
    const TALL: usize = 4;
    const WIDE: usize = if cfg!(target_feature = "avx") { 8 } else { 4 };
    const DEEP: usize = 128;
    let mut panel = [[0.0; WIDE]; DEEP];
    let blocks = inner.div_ceil(DEEP);
    for block in 0..blocks {
        let from = DEEP * if DOWN { blocks - 1 - block } else { block };
        let deep = DEEP.min(inner - from);
        for j in (0..columns).step_by(WIDE) {
            let wide = WIDE.min(columns - j);
            for (k, row) in panel[..deep].iter_mut().enumerate() {
                let b = &b[b_first + (from + k) * b_row + j * b_column..];
                if b_column == 1 {
                    row[..wide].copy_from_slice(&b[..wide]);
                } else {
                    for (j, x) in row[..wide].iter_mut().enumerate() {
                        *x = b[j * b_column];
                    }
                }
            }
            let (panel, a_at) = (&panel[..deep], [a_row, a_column]);
            let mut i = 0;
            while i < rows {
                let tall = if i + TALL <= rows { TALL } else { 1 };
                let to = &mut to[to_first + i * to_row + j..];
                let a = &a[a_first + i * a_row + from * a_column..];
                if tall == TALL && wide == WIDE {
                    add_tile::<STRONG, DOWN, TALL, WIDE>(to, to_row, a, a_at, panel);
                } else {
                    let mut tile = [0.0; TALL * WIDE];
                    for (row, tile) in tile.chunks_mut(WIDE).take(tall).enumerate() {
                        tile[..wide].copy_from_slice(&to[row * to_row..][..wide]);
                    }
                    if tall == TALL {
                        add_tile::<STRONG, DOWN, TALL, WIDE>(&mut tile, WIDE, a, a_at, panel);
                    } else {
                        add_tile::<STRONG, DOWN, 1, WIDE>(&mut tile, WIDE, a, a_at, panel);
                    }
                    for (row, tile) in tile.chunks(WIDE).take(tall).enumerate() {
                        to[row * to_row..][..wide].copy_from_slice(&tile[..wide]);
                    }
                }
                i += tall;
            }
        }
    }
}
//// add_sums_of_products
/// As `add_matrix_product`, but sums begin with `first`, and are added when they are complete.
#[allow(clippy::too_many_arguments)]
fn add_sums_of_products<const STRONG: bool, const DOWN: bool>(
    to: &mut [f64],
    [to_first, to_row]: [usize; 2],
    a: &[f64],
    a_at: [usize; 3],
    b: &[f64],
    b_at: [usize; 3],
    [rows, columns, inner]: [usize; 3],
    first: f64,
) {
    let mut sums = vec![first; rows * columns];
    let sizes = [rows, columns, inner];
    add_matrix_product::<STRONG, DOWN>(&mut sums, [0, columns], a, a_at, b, b_at, sizes);
    for (row, sums) in sums.chunks(columns).enumerate() {
        let to = &mut to[to_first + row * to_row..][..columns];
        for (to, sum) in to.iter_mut().zip(sums) {
            *to += sum;
        }
    }
}
//// store_sums_of_products
/// As `add_matrix_product`, but sums begin with `first`.
#[allow(clippy::too_many_arguments)]
fn store_sums_of_products<const STRONG: bool, const DOWN: bool>(
    to: &mut [f64],
    [to_first, to_row]: [usize; 2],
    a: &[f64],
    a_at: [usize; 3],
    b: &[f64],
    b_at: [usize; 3],
    [rows, columns, inner]: [usize; 3],
    first: f64,
) {
    for row in 0..rows {
        to[to_first + row * to_row..][..columns].fill(first);
    }
    let (to_at, sizes) = ([to_first, to_row], [rows, columns, inner]);
    add_matrix_product::<STRONG, DOWN>(to, to_at, a, a_at, b, b_at, sizes);
}
//// add_tile
/// Adds to a tile of `to`, which is in registers meanwhile.
#[inline]
fn add_tile<const STRONG: bool, const DOWN: bool, const TALL: usize, const WIDE: usize>(
    to: &mut [f64],
    to_row: usize,
    a: &[f64],
    [a_row, a_column]: [usize; 2],
    panel: &[[f64; WIDE]],
) {
    let mut sums = [[0.0; WIDE]; TALL];
    for (row, sums) in sums.iter_mut().enumerate() {
        sums.copy_from_slice(&to[row * to_row..][..WIDE]);
    }
    for k in 0..panel.len() {
        let k = if DOWN { panel.len() - 1 - k } else { k };
        for (row, sums) in sums.iter_mut().enumerate() {
            let factor = a[row * a_row + k * a_column];
            for (sum, b) in sums.iter_mut().zip(&panel[k]) {
                *sum += mul_zero_if::<STRONG>(factor, *b);
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        to[row * to_row..][..WIDE].copy_from_slice(sums);
    }
}
