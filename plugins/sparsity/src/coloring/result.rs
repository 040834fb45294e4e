//! The kinds of colorings, and the colors that a coloring gives to rows and columns.

use super::{Groups, InvalidColoring};

/// Which vertices of which graph are colored, and by which rule.
///
/// ```
/// use overdub_sparsity::coloring::ColoringKind;
///
/// assert!(ColoringKind::Acyclic.substitutes() && !ColoringKind::Star.substitutes());
/// assert_eq!(ColoringKind::Star.to_string(), "star");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ColoringKind {
    /// Partial distance-2 coloring of columns: columns of one color have no row in common (Curtis, Powell, Reid, 1974).
    Column,
    /// Partial distance-2 coloring of rows: rows of one color have no column in common.
    Row,
    /// Star coloring of a symmetric matrix: a path of four vertices has at least three colors (Coleman, Moré,
    /// 1984).
    Star,
    /// Acyclic coloring of a symmetric matrix: a cycle has at least three colors (Coleman, Cai, 1986).
    /// Entries are recovered from others by substitution.
    Acyclic,
    /// Star coloring of rows and columns, for products with both (Hossain, Steihaug, 1998; Coleman, Verma, 1998).
    StarBidirectional,
    /// Acyclic coloring of rows and columns, for products with both (Coleman, Verma, 1998).
    AcyclicBidirectional,
}

impl ColoringKind {
    /// Every kind.
    ///
    /// ```
    /// use overdub_sparsity::coloring::ColoringKind;
    ///
    /// assert_eq!(ColoringKind::ALL.iter().filter(|kind| kind.is_symmetric()).count(), 2);
    /// ```
    pub const ALL: [Self; 6] = [
        Self::Column,
        Self::Row,
        Self::Star,
        Self::Acyclic,
        Self::StarBidirectional,
        Self::AcyclicBidirectional,
    ];

    /// Whether entries are recovered from other entries, rather than each directly from a product.
    ///
    /// ```
    /// assert!(overdub_sparsity::coloring::ColoringKind::AcyclicBidirectional.substitutes());
    /// ```
    #[must_use]
    pub fn substitutes(self) -> bool {
        matches!(self, Self::Acyclic | Self::AcyclicBidirectional)
    }

    /// Whether the matrix is symmetric, so that an entry is known if its mirror image is.
    ///
    /// ```
    /// assert!(overdub_sparsity::coloring::ColoringKind::Star.is_symmetric());
    /// ```
    #[must_use]
    pub fn is_symmetric(self) -> bool {
        matches!(self, Self::Star | Self::Acyclic)
    }

    /// Whether columns are in groups.
    ///
    /// ```
    /// assert!(!overdub_sparsity::coloring::ColoringKind::Row.colors_columns());
    /// ```
    #[must_use]
    pub fn colors_columns(self) -> bool {
        self != Self::Row
    }

    /// Whether rows are in groups.
    ///
    /// ```
    /// assert!(overdub_sparsity::coloring::ColoringKind::StarBidirectional.colors_rows());
    /// ```
    #[must_use]
    pub fn colors_rows(self) -> bool {
        matches!(self, Self::Row | Self::StarBidirectional | Self::AcyclicBidirectional)
    }
}

impl std::fmt::Display for ColoringKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Column => "column",
            Self::Row => "row",
            Self::Star => "star",
            Self::Acyclic => "acyclic",
            Self::StarBidirectional => "bidirectional star",
            Self::AcyclicBidirectional => "bidirectional acyclic",
        })
    }
}

/// A color for each column, each row, or both. Colors count from one; zero is the neutral color.
///
/// ```
/// use overdub_sparsity::coloring::{Coloring, ColoringKind};
///
/// let coloring = Coloring::new(ColoringKind::Column, vec![1, 2, 1, 0], vec![])?;
/// assert_eq!(coloring.len(), 2);
/// assert_eq!(coloring.column_groups().iter().collect::<Vec<_>>(), [&[0, 2][..], &[1]]);
/// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Coloring {
    kind: ColoringKind,
    columns: Vec<u32>,
    rows: Vec<u32>,
    column_count: usize,
    row_count: usize,
}

impl Coloring {
    /// A coloring given by hand: the colors of columns, and those of rows; empty if the kind does not color
    /// them.
    ///
    /// [`check_coloring`](super::check_coloring) checks whether it fits a pattern.
    ///
    /// # Errors
    /// If a color is greater than the number of rows or columns.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert!(Coloring::new(ColoringKind::Row, vec![], vec![1, 1, 2]).is_ok());
    /// assert!(Coloring::new(ColoringKind::Row, vec![], vec![1, 1, 4]).is_err());
    /// ```
    pub fn new(kind: ColoringKind, columns: Vec<u32>, rows: Vec<u32>) -> Result<Self, InvalidColoring> {
        for colors in [&columns, &rows] {
            if let Some(&color) = colors.iter().find(|&&color| color as usize > colors.len()) {
                return Err(InvalidColoring::ColorTooLarge { color: color as usize, vertices: colors.len() });
            }
        }
        Ok(Self::trusted(kind, columns, rows))
    }

    /// A coloring that is known to satisfy COLOR1.
    pub(super) fn trusted(kind: ColoringKind, columns: Vec<u32>, rows: Vec<u32>) -> Self {
        let greatest = |colors: &[u32]| colors.iter().copied().max().unwrap_or(0) as usize;
        let (column_count, row_count) = (greatest(&columns), greatest(&rows));
        Self { kind, columns, rows, column_count, row_count }
    }

    /// The kind of the coloring.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert_eq!(Coloring::new(ColoringKind::Star, vec![1], vec![])?.kind(), ColoringKind::Star);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> ColoringKind {
        self.kind
    }

    /// The color of each column; empty if columns are not colored.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert_eq!(Coloring::new(ColoringKind::Star, vec![1, 2], vec![])?.column_colors(), [1, 2]);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn column_colors(&self) -> &[u32] {
        &self.columns
    }

    /// The color of each row; empty if rows are not colored.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert_eq!(Coloring::new(ColoringKind::Row, vec![], vec![1, 2])?.row_colors(), [1, 2]);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn row_colors(&self) -> &[u32] {
        &self.rows
    }

    /// The number of groups of columns, which is that of products `J·s`.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert_eq!(Coloring::new(ColoringKind::Column, vec![1, 2, 1], vec![])?.column_count(), 2);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn column_count(&self) -> usize {
        self.column_count
    }

    /// The number of groups of rows, which is that of products `sᵀ·J`.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert_eq!(Coloring::new(ColoringKind::Row, vec![], vec![1, 2, 1])?.row_count(), 2);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// The number of colors, which is that of all products. The neutral color needs none.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// let coloring = Coloring::new(ColoringKind::StarBidirectional, vec![1, 2], vec![0, 1])?;
    /// assert_eq!(coloring.len(), 3);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.column_count + self.row_count
    }

    /// Whether there is no color other than the neutral one.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert!(Coloring::new(ColoringKind::Column, vec![0, 0], vec![])?.is_empty());
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns of each color, from the first on: those that one product `J·s` sums.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// let coloring = Coloring::new(ColoringKind::Column, vec![1, 2, 1], vec![])?;
    /// assert_eq!(coloring.column_groups().get(0), [0, 2]);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn column_groups(&self) -> Groups {
        Groups::of(&self.columns, self.column_count)
    }

    /// The rows of each color, from the first on: those that one product `sᵀ·J` sums.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// let coloring = Coloring::new(ColoringKind::Row, vec![], vec![1, 2, 1])?;
    /// assert_eq!(coloring.row_groups().get(1), [1]);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn row_groups(&self) -> Groups {
        Groups::of(&self.rows, self.row_count)
    }
}
