//! Sparse matrices as JSON: their entries with their positions.

use overdub_context::Symbol;
use overdub_context::ir::{BuildError, FuncBuilder, Operand, Target, Ty};
use overdub_context::ops;
use overdub_context::value::{Array, Value};

use super::Unanswered;
use super::json::{Form, Texts, Writer};
use crate::compression::Compression;

impl Writer<'_> {
    /// The JSON of a sparse matrix with these values.
    pub(super) fn entries(
        &mut self,
        build: &mut FuncBuilder,
        values: Operand,
        compression: &Compression,
    ) -> Result<Operand, Unanswered> {
        let callee = self.entries_function()?;
        let rows = indices(build, &compression.rows_of_entries())?;
        let columns = indices(build, compression.columns())?;
        let listed = build.call(callee, [values, rows, columns], Ty::str())?;
        let mut text = Texts::new(&format!("{{\"cols\":{},\"entries\":", compression.cols()));
        text.add(build, listed.into())?;
        text.literal(&format!(",\"rows\":{}}}", compression.rows()));
        Ok(text.whole(build)?)
    }

    /// The function that lists entries: for each its row, its column and its value.
    fn entries_function(&mut self) -> Result<Symbol, Unanswered> {
        let name = self.listing("json_entries");
        let mut build = FuncBuilder::new(name, Ty::str());
        let values = build.param("values", Ty::array(Ty::f64(), 1));
        let [rows, columns] = ["rows", "columns"].map(|name| build.param(name, Ty::array(Ty::usize(), 1)));
        let len = build.op(&ops::LEN, [values])?;
        let [head, body, done] = [(); 3].map(|()| build.new_block());
        let (i, text) = (build.block_param(head, Ty::usize()), build.block_param(head, Ty::str()));
        build.br(head, [Operand::from(0_usize), "[".into()])?;
        build.switch_to(head)?;
        let more = build.op(&ops::LT, [i, len])?;
        build.br_if(more, Target::from(body), Target::from(done))?;
        build.switch_to(body)?;
        let is_first = build.op(&ops::EQ, [Operand::from(i), 0_usize.into()])?;
        let before = build.op(&ops::SELECT, [is_first.into(), Operand::from("["), ",[".into()])?;
        let mut pieces: Vec<Operand> = vec![before.into()];
        for numbers in [rows, columns] {
            let number = build.op(&ops::GET_UNCHECKED, [numbers, i])?;
            pieces.push(self.text(&mut build, Form::Value, number.into(), None)?);
            pieces.push(",".into());
        }
        let value = build.op(&ops::GET_UNCHECKED, [values, i])?;
        pieces.push(self.text(&mut build, Form::Value, value.into(), None)?);
        pieces.push("]".into());
        let mut longer = Operand::from(text);
        for piece in pieces {
            longer = build.op(&ops::STR_CONCAT, [longer, piece])?.into();
        }
        let next = build.op(&ops::ADD_WRAPPING, [Operand::from(i), 1_usize.into()])?;
        build.br(head, [next.into(), longer])?;
        build.switch_to(done)?;
        let whole = build.op(&ops::STR_CONCAT, [Operand::from(text), "]".into()])?;
        build.ret(whole)?;
        self.define(build.finish()?);
        Ok(name)
    }
}

fn indices(build: &mut FuncBuilder, numbers: &[usize]) -> Result<Operand, BuildError> {
    build.constant(Value::from(Array::from_vec(numbers.to_vec())), Ty::array(Ty::usize(), 1))
}
