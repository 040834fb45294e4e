//! The groups of rows or columns that share a color.

/// Rows or columns, grouped by color.
///
/// ```
/// use overdub_sparsity::coloring::{Coloring, ColoringKind};
///
/// let groups = Coloring::new(ColoringKind::Column, vec![2, 1, 2, 0], vec![])?.column_groups();
/// assert_eq!(groups.len(), 2);
/// assert_eq!((groups.get(0), groups.get(1)), (&[1][..], &[0, 2][..]));
/// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups {
    offsets: Vec<usize>,
    members: Vec<u32>,
}

impl Groups {
    /// The groups of the colors from one to `count`.
    pub(super) fn of(colors: &[u32], count: usize) -> Self {
        let mut next = vec![0; count + 2];
        colors.iter().for_each(|&color| next[color as usize + 1] += 1);
        for color in 0..=count {
            next[color + 1] += next[color];
        }
        let offsets = next[1..].to_vec();
        let mut members = vec![0; colors.len()];
        for (vertex, &color) in colors.iter().enumerate() {
            members[next[color as usize]] = vertex as u32;
            next[color as usize] += 1;
        }
        Self { offsets, members }
    }

    /// The number of groups.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert_eq!(Coloring::new(ColoringKind::Column, vec![2, 1], vec![])?.column_groups().len(), 2);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no groups.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert!(Coloring::new(ColoringKind::Column, vec![2, 1], vec![])?.row_groups().is_empty());
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A group, by the index of its product from zero: its color minus one. A group beyond the last is empty.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// assert_eq!(Coloring::new(ColoringKind::Column, vec![2, 1], vec![])?.column_groups().get(0), [1]);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    #[must_use]
    pub fn get(&self, product: usize) -> &[u32] {
        match self.offsets.get(product..).and_then(|rest| rest.first_chunk()) {
            Some(&[start, end]) => &self.members[start..end],
            None => &[],
        }
    }

    /// The groups in the order of their colors.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{Coloring, ColoringKind};
    ///
    /// let groups = Coloring::new(ColoringKind::Column, vec![2, 1], vec![])?.column_groups();
    /// assert_eq!(groups.iter().collect::<Vec<_>>(), [[1], [0]]);
    /// # Ok::<(), overdub_sparsity::coloring::InvalidColoring>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> + Clone + '_ {
        self.offsets.windows(2).map(|pair| &self.members[pair[0]..pair[1]])
    }
}
