//! The places of entries, as found by a run.

use overdub_context::value::Value;

/// The number in place of a column that announces an element which is overwritten.
pub(super) const STORED: usize = usize::MAX;
/// The number that announces an element to whose previous value a term is added.
pub(super) const ADDED: usize = usize::MAX - 1;

/// How elements of the result are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// Each entry once: its value is stored.
    Once,
    /// Some entries are sums, so their values are added.
    Added,
}

/// The places of the entries that a function returns under [`EntriesTransform`](super::EntriesTransform), in
/// its order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPlaces {
    rows: Vec<usize>,
    columns: Vec<usize>,
    written: Written,
}

/// Why a run has no entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlacesError {
    /// The result violates LOCALENTRY3.
    #[error("element {0} of the result is written twice")]
    Overwritten(usize),
    /// The value is not the result of such a run.
    #[error("this is no list of places")]
    Form,
}

impl EntryPlaces {
    /// Reads what a function returned under [`Writing::Places`](super::Writing::Places).
    ///
    /// # Errors
    /// If an element with entries is overwritten, or the value is not what such a function returns.
    ///
    /// ```
    /// use overdub_ad::transform::entries::{EntriesTransform, EntryPlaces, Writing, Written};
    /// use overdub_context::value::Value;
    ///
    /// let source = "pub fn f(x: &[f64]) -> Vec<f64> { x.windows(2).map(|w| w[1] * w[0]).collect() }";
    /// let loaded = overdub_lower::Loaded::from_source("f.rs", source)?;
    /// let (engine, f) = (loaded.engine(), loaded.function("f")?.symbol);
    /// let cx = EntriesTransform::new(Writing::Places);
    /// let found = EntryPlaces::read(&engine.overdub(&cx, f, vec![Value::floats(vec![2.0, 3.0, 5.0])])?)?;
    /// assert_eq!(found.iter().collect::<Vec<_>>(), [(0, 1), (0, 0), (1, 2), (1, 1)]);
    /// assert_eq!(found.written(), Written::Once);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(reported: &Value<'_>) -> Result<EntryPlaces, PlacesError> {
        let parts = reported.as_composite().map(|tuple| &tuple.parts[..]).unwrap_or_default();
        let [rows, columns] = parts else { return Err(PlacesError::Form) };
        let numbers = |part: &Value<'_>| {
            let array = part.as_array().and_then(|array| array.as_slice::<usize>().map(<[usize]>::to_vec));
            array.ok_or(PlacesError::Form)
        };
        let (rows, columns) = (numbers(rows)?, numbers(columns)?);
        let height = rows.iter().max().map_or(0, |row| row + 1);
        let mut has_entries = vec![false; height];
        let mut places = EntryPlaces { rows: Vec::new(), columns: Vec::new(), written: Written::Once };
        for (row, column) in rows.into_iter().zip(columns) {
            match column {
                STORED if has_entries[row] => return Err(PlacesError::Overwritten(row)),
                STORED => {}
                ADDED => places.written = Written::Added,
                column => {
                    has_entries[row] = true;
                    places.rows.push(row);
                    places.columns.push(column);
                }
            }
        }
        Ok(places)
    }

    /// The row and column of each entry.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.rows.iter().copied().zip(self.columns.iter().copied())
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How elements of the result are written.
    pub fn written(&self) -> Written {
        self.written
    }
}
