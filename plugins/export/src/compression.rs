//! Sparse matrices of derivatives as plain data: the pattern, the arguments that it was found for, and the products from which
//! its values are read.
//!
//! - COMPRESSION1 row starts begin with 0, never decrease, and end with the number of entries; columns are less than their
//!   number.
//! - COMPRESSION2 a product has a color for each column or row of the matrix, and a source for each entry, which is less than
//!   the number of values of all products.
//! - COMPRESSION3 there are products.

use overdub_context::value::Value;

/// The pattern of a sparse Jacobian or Hessian in compressed rows, and how its values are computed.
///
/// The pattern holds for arguments of the shape of an example: the same lengths, and the same values except floats.
///
/// ```
/// use overdub_context::value::Value;
/// use overdub_export::{Compression, Products};
///
/// // The differences of three numbers: [1 1 0; 0 1 1].
/// let (row_starts, columns) = (vec![0, 2, 4], vec![0, 1, 1, 2]);
/// // Its columns in two products of two numbers each: the first and the last, and the one between them.
/// let products = Products::with_columns(2, vec![0, 1, 0], vec![0, 2, 3, 1]);
/// let example = vec![Value::floats(vec![0.0; 3])];
/// let compression = Compression::new((2, 3), row_starts, columns, example, vec![products])?;
/// assert_eq!(compression.row_starts(), [0, 2, 4]);
/// # Ok::<(), overdub_export::CompressionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compression {
    rows: usize,
    cols: usize,
    row_starts: Vec<usize>,
    columns: Vec<usize>,
    example: Vec<Value<'static>>,
    products: Vec<Products>,
    written: Option<Written>,
}

/// The entries that a function can write by itself.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// The number of the entry for each partial derivative.
    pub(crate) slots: Vec<u32>,
    pub(crate) are_sums: bool,
}

/// Products of a matrix with directions, each the sum of columns or rows that have one color.
#[derive(Clone, Debug)]
pub struct Products {
    side: Side,
    count: usize,
    colors: Vec<usize>,
    sources: Vec<usize>,
}

/// What products sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Columns,
    Rows,
}

/// The data of a sparse matrix contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompressionError {
    /// The row starts are not those of rows that follow each other.
    #[error("the row starts are not {rows} ranges, one after another, of {entries} entries")]
    RowStarts {
        /// The number of rows.
        rows: usize,
        /// The number of entries.
        entries: usize,
    },
    /// An entry is in a column that the matrix does not have.
    #[error("an entry is in column {column}, but there are {cols}")]
    Column {
        /// The column of the entry.
        column: usize,
        /// The number of columns.
        cols: usize,
    },
    /// There is not a color for each column or row.
    #[error("there are {found} colors for {expected} columns or rows")]
    Colors {
        /// The number of colors given.
        found: usize,
        /// The number of columns or rows.
        expected: usize,
    },
    /// There is not a source for each entry, or one is no value of a product.
    #[error("the sources are not a number less than {values} for each of {entries} entries")]
    Sources {
        /// The number of values of all products.
        values: usize,
        /// The number of entries.
        entries: usize,
    },
    /// A partial derivative is to be written beside the entries.
    #[error("a slot is {slot}, but there are {entries} entries")]
    Slot {
        /// The slot.
        slot: u32,
        /// The number of entries.
        entries: usize,
    },
    /// No way to compute the values is given.
    #[error("there are no products to read the entries from")]
    Products,
}

impl Products {
    /// Products that sum columns, which tangents compute. `colors` gives the product of each column; one that is not less
    /// than `count`, the number of products, is in none. `sources` gives for each entry where it is among the values of all
    /// products, one after another, which have a number for each row.
    pub fn with_columns(count: usize, colors: Vec<usize>, sources: Vec<usize>) -> Products {
        Products { side: Side::Columns, count, colors, sources }
    }

    /// As [`Products::with_columns`], of rows, which cotangents compute: products have a number for each column.
    pub fn with_rows(count: usize, colors: Vec<usize>, sources: Vec<usize>) -> Products {
        Products { side: Side::Rows, count, colors, sources }
    }

    pub(crate) fn side(&self) -> Side {
        self.side
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn colors(&self) -> &[usize] {
        &self.colors
    }

    pub(crate) fn sources(&self) -> &[usize] {
        &self.sources
    }

    fn check(&self, (rows, cols): (usize, usize), entries: usize) -> Result<(), CompressionError> {
        let (expected, each) = match self.side {
            Side::Columns => (cols, rows),
            Side::Rows => (rows, cols),
        };
        if self.colors.len() != expected {
            return Err(CompressionError::Colors { found: self.colors.len(), expected });
        }
        let values = self.count.saturating_mul(each);
        if self.sources.len() != entries || self.sources.iter().any(|source| *source >= values) {
            return Err(CompressionError::Sources { values, entries });
        }
        Ok(())
    }
}

impl Compression {
    /// The pattern of a matrix of `rows` by `cols`: for each row where its entries start, and at the end their number, and
    /// the column of each entry. `example` are arguments that it was found for. Of the products, the first are used that
    /// can be computed.
    ///
    /// # Errors
    /// If one of the invariants COMPRESSION1 to COMPRESSION3 does not hold.
    pub fn new(
        (rows, cols): (usize, usize),
        row_starts: Vec<usize>,
        columns: Vec<usize>,
        example: Vec<Value<'static>>,
        products: Vec<Products>,
    ) -> Result<Compression, CompressionError> {
        let entries = columns.len();
        let is_range = row_starts.first() == Some(&0) && row_starts.last() == Some(&entries);
        if !is_range || row_starts.len() != rows + 1 || !row_starts.is_sorted() {
            return Err(CompressionError::RowStarts { rows, entries });
        }
        if let Some(&column) = columns.iter().find(|column| **column >= cols) {
            return Err(CompressionError::Column { column, cols });
        }
        if products.is_empty() {
            return Err(CompressionError::Products);
        }
        products.iter().try_for_each(|products| products.check((rows, cols), entries))?;
        Ok(Compression { rows, cols, row_starts, columns, example, products, written: None })
    }

    /// The function writes the entries by itself, in one run, under
    /// [`EntriesTransform`](overdub_ad::transform::entries::EntriesTransform): `slots` has for each partial derivative that
    /// it writes the number of its entry; `are_sums` if one entry is written by several.
    ///
    /// # Errors
    /// If a slot is not less than the number of entries.
    pub fn written(mut self, slots: Vec<u32>, are_sums: bool) -> Result<Compression, CompressionError> {
        let entries = self.columns.len();
        if let Some(&slot) = slots.iter().find(|slot| **slot as usize >= entries) {
            return Err(CompressionError::Slot { slot, entries });
        }
        self.written = Some(Written { slots, are_sums });
        Ok(self)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// The number of the first entry of each row, and at the end the number of entries.
    pub fn row_starts(&self) -> &[usize] {
        &self.row_starts
    }

    /// The column of each entry, row by row.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// The row of each entry.
    pub(crate) fn rows_of_entries(&self) -> Vec<usize> {
        let ranges = self.row_starts.windows(2).enumerate();
        ranges.flat_map(|(row, ends)| std::iter::repeat_n(row, ends[1] - ends[0])).collect()
    }

    pub(crate) fn example(&self) -> &[Value<'static>] {
        &self.example
    }

    pub(crate) fn products(&self) -> &[Products] {
        &self.products
    }

    pub(crate) fn written_entries(&self) -> Option<&Written> {
        self.written.as_ref()
    }
}
