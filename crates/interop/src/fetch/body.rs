//! Reads a body up to a bound that holds for what comes out of it.

use std::io::Write;

use flate2::write::GzDecoder;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};

/// Why a body was not read.
#[derive(Debug)]
pub(super) enum Fault {
    /// It is larger than allowed.
    TooLarge,
    /// It is not encoded as it says.
    Encoding(String),
}

/// A body that is being read.
pub(super) struct Body {
    sink: Sink,
    truncate: bool,
}

enum Sink {
    Plain(Bounded),
    Gzip(Box<GzDecoder<Bounded>>),
}

/// Bytes up to a bound.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
    is_full: bool,
}

impl Write for Bounded {
    fn write(&mut self, more: &[u8]) -> std::io::Result<usize> {
        let room = self.most - self.bytes.len();
        self.bytes.extend_from_slice(&more[..more.len().min(room)]);
        self.is_full |= more.len() > room;
        match self.is_full {
            true => Err(std::io::Error::other("the bound is reached")),
            false => Ok(more.len()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Body {
    /// A body with these headers. Fails if it is encoded in a way that was not asked for.
    pub(super) fn of(headers: &HeaderMap, most: usize, truncate: bool) -> Result<Self, Fault> {
        let bounded = Bounded { bytes: Vec::new(), most, is_full: false };
        let encodings: Vec<&[u8]> =
            headers.get_all(CONTENT_ENCODING).iter().map(|value| value.as_bytes()).collect();
        let encoding = match encodings.as_slice() {
            [] => String::new(),
            [one] => String::from_utf8_lossy(one).trim().to_ascii_lowercase(),
            _ => return Err(Fault::Encoding("it has several encodings".to_owned())),
        };
        let sink = match encoding.as_str() {
            "" | "identity" => Sink::Plain(bounded),
            "gzip" | "x-gzip" => Sink::Gzip(Box::new(GzDecoder::new(bounded))),
            _ => {
                let reason = "gzip or nothing was asked for, and it is encoded in another way";
                return Err(Fault::Encoding(reason.to_owned()));
            }
        };
        Ok(Self { sink, truncate })
    }

    /// Takes more of the body. True means that no more is wanted.
    pub(super) fn take(&mut self, chunk: &[u8]) -> Result<bool, Fault> {
        let written = match &mut self.sink {
            Sink::Plain(bounded) => bounded.write_all(chunk),
            Sink::Gzip(decoder) => decoder.write_all(chunk),
        };
        self.after(written)
    }

    /// What is to be done after bytes went in.
    fn after(&self, written: std::io::Result<()>) -> Result<bool, Fault> {
        let bounded = match &self.sink {
            Sink::Plain(bounded) => bounded,
            Sink::Gzip(decoder) => decoder.get_ref(),
        };
        match written {
            _ if bounded.is_full && self.truncate => Ok(true),
            _ if bounded.is_full => Err(Fault::TooLarge),
            Ok(()) => Ok(false),
            Err(error) => Err(Fault::Encoding(error.to_string())),
        }
    }

    /// The body, and whether it was cut off.
    pub(super) fn finish(mut self) -> Result<(Vec<u8>, bool), Fault> {
        if let Sink::Gzip(decoder) = &mut self.sink
            && !decoder.get_ref().is_full
        {
            let finished = decoder.try_finish();
            self.after(finished)?;
        }
        let (bytes, is_full) = match &mut self.sink {
            Sink::Plain(bounded) => (std::mem::take(&mut bounded.bytes), bounded.is_full),
            Sink::Gzip(decoder) => {
                let bounded = decoder.get_mut();
                (std::mem::take(&mut bounded.bytes), bounded.is_full)
            }
        };
        Ok((bytes, is_full))
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn encoded(encoding: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(CONTENT_ENCODING, encoding.parse().unwrap())])
    }

    #[test]
    fn a_compressed_body_is_bounded_by_what_comes_out() {
        let bomb = gzip(&vec![0; 50 << 20]);
        assert!(bomb.len() < 1 << 16, "it is small on the wire");
        let mut body = Body::of(&encoded("gzip"), 1 << 20, false).unwrap();
        let result = bomb.chunks(4_096).try_for_each(|chunk| body.take(chunk).map(|_| ()));
        assert!(matches!(result, Err(Fault::TooLarge)), "{result:?}");
    }

    #[test]
    fn a_body_can_be_cut_off_instead() {
        let mut body = Body::of(&HeaderMap::new(), 4, true).unwrap();
        assert!(!body.take(b"abc").unwrap());
        assert!(body.take(b"def").unwrap());
        assert_eq!(body.finish().unwrap(), (b"abcd".to_vec(), true));
    }

    #[test]
    fn a_compressed_body_comes_out_whole() {
        let mut body = Body::of(&encoded("gzip"), 100, false).unwrap();
        for byte in gzip(b"the policy") {
            body.take(&[byte]).unwrap();
        }
        assert_eq!(body.finish().unwrap(), (b"the policy".to_vec(), false));
    }

    #[test]
    fn a_body_that_is_not_compressed_as_it_says_is_refused() {
        let mut body = Body::of(&encoded("gzip"), 100, false).unwrap();
        assert!(matches!(body.take(b"{ plain text, longer than a header }"), Err(Fault::Encoding(_))));
        let mut cut = Body::of(&encoded("gzip"), 100, false).unwrap();
        let whole = gzip(b"the policy");
        cut.take(&whole[..whole.len() - 6]).unwrap();
        assert!(matches!(cut.finish(), Err(Fault::Encoding(_))));
        assert!(matches!(Body::of(&encoded("br"), 100, false), Err(Fault::Encoding(_))));
    }
}
