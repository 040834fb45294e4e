//! Instructions one after the other, with labels.

use iced_x86::{Code, Encoder, Instruction};

use crate::program::Step;

/// A place that branches go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(usize);

/// The machine code that is being written. It can lie anywhere: it mentions places of its own only, relative to the instruction.
pub(super) struct Asm {
    encoder: Encoder,
    /// The bytes so far.
    at: u64,
    /// The places of labels that are bound.
    labels: Vec<Option<u64>>,
    /// The ends of branches, whose last four bytes are the distance to a label.
    branches: Vec<(u64, Label)>,
    /// The steps for which functions are called.
    called: Vec<Step>,
    is_valid: bool,
}

impl Asm {
    pub(super) fn new() -> Asm {
        Asm {
            encoder: Encoder::new(64),
            at: 0,
            labels: Vec::new(),
            branches: Vec::new(),
            called: Vec::new(),
            is_valid: true,
        }
    }

    /// The place of the next instruction.
    pub(super) fn here(&self) -> u64 {
        self.at
    }

    pub(super) fn put(&mut self, instruction: &Instruction) {
        match self.encoder.encode(instruction, self.at) {
            Ok(len) => self.at += len as u64,
            Err(error) => {
                debug_assert!(false, "{error}: {:?}", instruction.code());
                self.is_valid = false;
            }
        }
    }

    /// Puts an instruction, if it could be made.
    pub(super) fn made(&mut self, instruction: Result<Instruction, iced_x86::IcedError>) {
        match instruction {
            Ok(instruction) => self.put(&instruction),
            Err(error) => {
                debug_assert!(false, "{error}");
                self.is_valid = false;
            }
        }
    }

    /// Writes a word that code reads.
    pub(super) fn word(&mut self, word: u64) {
        word.to_le_bytes().into_iter().for_each(|byte| self.encoder.write_u8(byte));
        self.at += 8;
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// Binds a label to the next instruction.
    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.at);
    }

    /// A jump, or a branch, with a distance of 32 bits.
    pub(super) fn branch(&mut self, code: Code, to: Label) {
        self.made(Instruction::with_branch(code, self.at));
        self.branches.push((self.at, to));
    }

    /// The number of a step for which a function is called.
    pub(super) fn called(&mut self, step: &Step) -> usize {
        self.called.push(step.clone());
        self.called.len() - 1
    }

    /// The code, with the distances of its branches, and the steps for which it calls functions; none if an instruction could not
    /// be encoded.
    pub(super) fn finish(mut self) -> Option<(Vec<u8>, Vec<Step>)> {
        let mut bytes = self.encoder.take_buffer();
        for (end, label) in self.branches {
            let distance = i32::try_from(self.labels[label.0]? as i64 - end as i64).ok()?;
            bytes.get_mut(end as usize - 4..end as usize)?.copy_from_slice(&distance.to_le_bytes());
        }
        self.is_valid.then_some((bytes, self.called))
    }
}
