//! Reading and writing bytes in memory.

use std::io::{self, BufRead, BufReader, BufWriter, Cursor, Read, Seek, SeekFrom, Write};
pub fn lines_of_a_cursor() -> String {
    let x = 1.5;
    let value: f64 = {
        let c = Cursor::new("a,1\nb,22\r\n\nlast");
        c.lines()
            .enumerate()
            .map(|(i, l)| {
                let l = l.unwrap();
                x * (i + 1) as f64 * l.len() as f64 + l.bytes().map(|b| b as f64).sum::<f64>()
            })
            .sum()
    };
    format!("{value:?}")
}
pub fn positions() -> String {
    let x = 1.5;
    let value: f64 = {
        let mut c = Cursor::new(vec![1u8, 2, 3, 4, 5, 6, 7, 8]);
        let mut b = [0u8; 3];
        c.read_exact(&mut b).unwrap();
        let p = c.position();
        c.seek(SeekFrom::End(-2)).unwrap();
        let mut v = vec![];
        c.read_to_end(&mut v).unwrap();
        let e = c.read_exact(&mut b).unwrap_err();
        x * (b[2] as f64 + p as f64)
            + v.len() as f64 * 10.0
            + e.to_string().len() as f64
            + format!("{e:?}").len() as f64
    };
    format!("{value:?}")
}
pub fn writes_into_a_vector() -> String {
    let x = 1.5;
    let value: f64 = {
        let mut c = Cursor::new(Vec::new());
        write!(c, "{:.3};{}", x, 42).unwrap();
        c.set_position(1);
        c.write_all(b"__").unwrap();
        c.seek(SeekFrom::Start(12)).unwrap();
        c.write_all(b"end").unwrap();
        let v = c.into_inner();
        v.iter().enumerate().map(|(i, b)| *b as f64 * (i + 1) as f64).sum()
    };
    format!("{value:?}")
}
pub fn reads_until_a_byte() -> String {
    let x = 1.5;
    let value: f64 = {
        let mut r = BufReader::with_capacity(4, &b"one two  three"[..]);
        let mut t = 0.0;
        let mut w = vec![];
        while r.read_until(b' ', &mut w).unwrap() > 0 {
            t += x * w.len() as f64;
            w.clear();
        }
        t
    };
    format!("{value:?}")
}
pub fn chained_and_limited() -> String {
    let x = 1.5;
    let value: f64 = {
        let r = (&b"abc"[..]).chain(&b"defg"[..]);
        let mut t = r.take(5);
        let mut s = String::new();
        t.read_to_string(&mut s).unwrap();
        x * s.len() as f64 + t.limit() as f64 + (s == "abcde") as u8 as f64
    };
    format!("{value:?}")
}
pub fn writes_into_a_slice() -> String {
    let x = 1.5;
    let value: f64 = {
        let mut buf = [0u8; 6];
        let r = {
            let mut s = &mut buf[..];
            s.write(b"abcd").unwrap() + s.write(b"efgh").unwrap()
        };
        let e = (&mut buf[..2]).write_all(b"xyz").unwrap_err();
        x * r as f64 + buf[0] as f64 + e.kind().to_string().len() as f64 + format!("{e:?} {e}").len() as f64
    };
    format!("{value:?}")
}
pub fn errors() -> String {
    let x = 1.5;
    let value: f64 = {
        let e = io::Error::new(io::ErrorKind::InvalidData, "bad thing");
        let k: io::Error = io::ErrorKind::NotFound.into();
        let o = io::Error::other(format!("no {x:.1}"));
        x + format!("{e} {e:?} {k} {k:?} {o} {o:?}").len() as f64
            + (e.kind() == io::ErrorKind::InvalidData) as u8 as f64
    };
    format!("{value:?}")
}
pub fn copies() -> String {
    let x = 1.5;
    let value: f64 = {
        let mut w = BufWriter::new(Vec::new());
        for i in 0..4 {
            writeln!(w, "{i}").unwrap();
        }
        w.flush().unwrap();
        let v = w.into_inner().unwrap();
        let n = io::copy(&mut &v[..], &mut io::sink()).unwrap();
        x * n as f64
            + io::read_to_string(&v[..]).unwrap().lines().map(|l| l.parse::<f64>().unwrap()).sum::<f64>()
    };
    format!("{value:?}")
}
fn parse<R: BufRead>(r: R) -> io::Result<Vec<f64>> {
    let mut out = vec![];
    for line in r.lines() {
        let line = line?;
        for w in line.split_whitespace() {
            out.push(w.parse::<f64>().map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))?);
        }
    }
    Ok(out)
}
pub fn numbers_in_lines() -> String {
    let x = 1.5;
    let value: f64 = {
        let a = parse(Cursor::new("1 2.5\n3")).unwrap().iter().sum::<f64>();
        let b = parse(BufReader::new(&b"1 x"[..])).unwrap_err();
        x * a
            + b.to_string().len() as f64
            + b.get_ref().is_some() as u8 as f64
            + b.into_inner().unwrap().to_string().len() as f64
    };
    format!("{value:?}")
}
pub fn boxed_readers() -> String {
    let x = 1.5;
    let value: f64 = {
        let mut b: Box<dyn Read> = Box::new(Cursor::new([1u8, 2, 3]));
        let s: u32 = b.by_ref().bytes().map(|b| b.unwrap() as u32).sum();
        let mut d: std::collections::VecDeque<u8> = [4u8, 5].into();
        let mut q = [0; 4];
        let n = d.read(&mut q).unwrap();
        let parts: Vec<Vec<u8>> = Cursor::new("a;bc;").split(b';').map(|p| p.unwrap()).collect();
        x * s as f64 + n as f64 + parts.len() as f64 * 100.0 + parts[1].len() as f64
    };
    format!("{value:?}")
}
pub fn seeks() -> String {
    let x = 1.5;
    let value: f64 = {
        let mut c = Cursor::new("abc");
        let e = c.seek(SeekFrom::Current(-1)).unwrap_err();
        let mut s = BufReader::new(Cursor::new("hello world"));
        let mut h = [0; 5];
        s.read_exact(&mut h).unwrap();
        s.seek(SeekFrom::Current(1)).unwrap();
        let mut rest = String::new();
        s.read_to_string(&mut rest).unwrap();
        x * rest.len() as f64
            + e.to_string().len() as f64
            + s.stream_position().unwrap() as f64
            + io::empty().read(&mut h).unwrap() as f64
    };
    format!("{value:?}")
}
