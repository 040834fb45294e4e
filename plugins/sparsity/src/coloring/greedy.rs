//! Greedy colorings of any kind.

use super::acyclic::acyclic_coloring;
use super::analysis::{from_joint_colors, without_gaps};
use super::distance2::partial_distance2_coloring;
use super::graph::Graph;
use super::neutral::{colored_in_order, drop_unneeded, outside_of_cover};
use super::order::Distance2;
use super::star::star_coloring;
use super::{Coloring, ColoringError, ColoringKind, Neutral, Order};
use crate::SparsityPattern;

/// Computes a greedy coloring of a pattern with the settings of [`GreedyColoring::new`].
///
/// # Errors
/// If the kind is symmetric and the matrix is not, or it is too large.
///
/// ```
/// use overdub_sparsity::coloring::{ColoringKind, color};
///
/// let tridiagonal = "[1 1 0 0; 1 1 1 0; 0 1 1 1; 0 0 1 1]".parse()?;
/// assert_eq!(color(&tridiagonal, ColoringKind::Column)?.column_colors(), [1, 2, 3, 1]);
/// assert_eq!(color(&tridiagonal, ColoringKind::Acyclic)?.column_colors(), [1, 2, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn color(pattern: &SparsityPattern, kind: ColoringKind) -> Result<Coloring, ColoringError> {
    GreedyColoring::new().color(pattern, kind)
}

/// Colors vertices one after another, each with the first color that the previous ones allow.
///
/// The time is linear in the entries if the number of colors is small and rows are short, and in the natural
/// order also if one row is dense. It is at most the product of the entries, the colors around a vertex, and
/// the length of rows.
///
/// ```
/// use overdub_sparsity::coloring::{ColoringKind, GreedyColoring, Order};
///
/// let arrow = "[1 1 1 1; 1 1 0 0; 1 0 1 0; 1 0 0 1]".parse()?;
/// let greedy = GreedyColoring::new().orders([Order::Natural, Order::LargestFirst]);
/// assert_eq!(greedy.color(&arrow, ColoringKind::Column)?.len(), 4);
/// assert_eq!(greedy.color(&arrow, ColoringKind::Star)?.len(), 2);
/// assert_eq!(greedy.color(&arrow, ColoringKind::StarBidirectional)?.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GreedyColoring {
    orders: Vec<Order>,
    neutral: Neutral,
}

impl Default for GreedyColoring {
    fn default() -> Self {
        Self::new()
    }
}

impl GreedyColoring {
    /// In natural order, with as few colors as [`Neutral::Covered`] allows.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{ColoringKind, GreedyColoring};
    ///
    /// let coloring = GreedyColoring::new().color(&"[1 0; 0 1]".parse()?, ColoringKind::Column)?;
    /// assert_eq!(coloring.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self { orders: vec![Order::Natural], neutral: Neutral::Covered }
    }

    /// Tries these orders, and keeps the first coloring with the fewest colors.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{ColoringKind, GreedyColoring, Order};
    ///
    /// let pattern = "[1 0; 0 1]".parse()?;
    /// let orders = (0..10).map(|seed| Order::Random { seed });
    /// assert_eq!(GreedyColoring::new().orders(orders).color(&pattern, ColoringKind::Row)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn orders(mut self, orders: impl IntoIterator<Item = Order>) -> Self {
        self.orders = orders.into_iter().collect();
        self
    }

    /// Selects which vertices are neutral.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{ColoringKind, GreedyColoring, Neutral};
    ///
    /// let empty = "[0 0; 0 0]".parse()?;
    /// assert_eq!(GreedyColoring::new().color(&empty, ColoringKind::Column)?.len(), 0);
    /// assert_eq!(GreedyColoring::new().neutral(Neutral::Never).color(&empty, ColoringKind::Column)?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn neutral(mut self, neutral: Neutral) -> Self {
        self.neutral = neutral;
        self
    }

    /// Colors a pattern.
    ///
    /// # Errors
    /// If the kind is symmetric and the matrix is not, it is too large, or no order is given.
    ///
    /// ```
    /// use overdub_sparsity::coloring::{ColoringKind, GreedyColoring};
    ///
    /// let pattern = "[1 0 3; 0 2 0; 4 5 0]".parse()?;
    /// let coloring = GreedyColoring::new().color(&pattern, ColoringKind::Row)?;
    /// assert_eq!(coloring.row_colors(), [1, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn color(&self, pattern: &SparsityPattern, kind: ColoringKind) -> Result<Coloring, ColoringError> {
        let colorings = match kind {
            ColoringKind::Column => {
                let colors = self.distance2(&pattern.transpose(), pattern);
                colors.into_iter().map(|colors| Coloring::trusted(kind, colors, Vec::new())).collect()
            }
            ColoringKind::Row => {
                let colors = self.distance2(pattern, &pattern.transpose());
                colors.into_iter().map(|colors| Coloring::trusted(kind, Vec::new(), colors)).collect()
            }
            _ => self.of_graph(pattern, kind)?,
        };
        colorings.into_iter().min_by_key(Coloring::len).ok_or(ColoringError::NoOrder)
    }

    /// Colors the rows of a pattern in each order.
    fn distance2(&self, pattern: &SparsityPattern, transposed: &SparsityPattern) -> Vec<Vec<u32>> {
        let in_order = |order: &Order| {
            let vertices = order.vertices(&mut Distance2::new(pattern, transposed));
            let mut colors = partial_distance2_coloring(pattern, transposed, &vertices);
            if self.neutral != Neutral::Never {
                let is_empty = |&(row, _): &(usize, &mut u32)| pattern.row(row).is_empty();
                colors.iter_mut().enumerate().filter(is_empty).for_each(|(_, color)| *color = 0);
                colors = without_gaps(&colors);
            }
            colors
        };
        self.orders.iter().map(in_order).collect()
    }

    /// Computes star or acyclic colorings in each order.
    fn of_graph(
        &self,
        pattern: &SparsityPattern,
        kind: ColoringKind,
    ) -> Result<Vec<Coloring>, ColoringError> {
        let graph = Graph::new(pattern, kind)?;
        let mut neutral = vec![vec![false; graph.len()]];
        if self.neutral == Neutral::Covered && kind.colors_rows() {
            neutral.push(outside_of_cover(&graph));
        }
        let each =
            self.orders.iter().flat_map(|order| neutral.iter().map(move |is_neutral| (order, is_neutral)));
        let colorings = each.map(|(&order, is_neutral)| {
            let vertices = colored_in_order(&graph, order, is_neutral);
            let greedy = if kind.substitutes() { acyclic_coloring } else { star_coloring };
            let mut colors = greedy(&graph, &vertices, is_neutral);
            if self.neutral != Neutral::Never {
                drop_unneeded(&graph, pattern, kind, &mut colors);
            }
            from_joint_colors(kind, &graph, &colors)
        });
        Ok(colorings.collect())
    }
}
