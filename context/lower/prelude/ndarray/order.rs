//! The order of elements in memory.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    RowMajor,
    ColumnMajor,
}

impl Order {
    pub const C: Order = Order::RowMajor;
    pub const F: Order = Order::ColumnMajor;

    pub fn is_row_major(self) -> bool {
        matches!(self, Order::RowMajor)
    }

    pub fn is_column_major(self) -> bool {
        matches!(self, Order::ColumnMajor)
    }
}
