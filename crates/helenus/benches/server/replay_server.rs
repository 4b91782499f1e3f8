//! A server of canned responses: a proxy that passes every request on, except executions of
//! prepared statements of which it has seen a response; these it answers with the same bytes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::LocalSet;
use wire::frame;
use wire::{DecodedFrame, Opcode};

const HEADER: usize = 9;

/// The responses by the id of the prepared statement.
type Responses = Rc<RefCell<HashMap<Vec<u8>, Vec<u8>>>>;

/// Serves until the process is killed.
pub(crate) async fn serve(upstream: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("listening on {} (canned)", listener.local_addr().unwrap());
    let responses = Responses::default();
    let upstream = upstream.to_owned();
    LocalSet::new()
        .run_until(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let (upstream, responses) = (upstream.clone(), Rc::clone(&responses));
                tokio::task::spawn_local(async move {
                    let _ = answer(client, &upstream, responses).await;
                });
            }
        })
        .await;
}

async fn answer(
    mut client: TcpStream,
    upstream: &str,
    responses: Responses,
) -> std::io::Result<()> {
    client.set_nodelay(true)?;
    let mut upstream = TcpStream::connect(upstream).await?;
    let (mut input, mut output) = (Vec::with_capacity(1 << 16), Vec::new());
    loop {
        if client.read_buf(&mut input).await? == 0 {
            return Ok(());
        }
        let mut done = 0;
        while let DecodedFrame::Frame(request, length) = frame::decode(&input[done..], usize::MAX) {
            let bytes = &input[done..done + length];
            let id = (request.opcode == Opcode::Execute).then(|| statement_id(request.body));
            let known = id.and_then(|id| responses.borrow().get(id).cloned());
            let mut response = match known {
                Some(response) => response,
                None => ask(&mut upstream, bytes).await?,
            };
            if let Some(id) = id {
                responses.borrow_mut().entry(id.to_vec()).or_insert_with(|| response.clone());
            }
            response[2..4].copy_from_slice(&request.stream.to_be_bytes());
            output.extend(response);
            done += length;
        }
        input.drain(..done);
        client.write_all(&output).await?;
        output.clear();
    }
}

fn statement_id(body: &[u8]) -> &[u8] {
    &body[2..18]
}

/// The response of the server behind this one. Events are not passed on.
async fn ask(upstream: &mut TcpStream, request: &[u8]) -> std::io::Result<Vec<u8>> {
    upstream.write_all(request).await?;
    loop {
        let mut response = vec![0; HEADER];
        upstream.read_exact(&mut response).await?;
        let length = u32::from_be_bytes(response[5..9].try_into().unwrap());
        let mut body = vec![0; usize::try_from(length).unwrap()];
        upstream.read_exact(&mut body).await?;
        response.extend(body);
        if response[2..4] != (-1_i16).to_be_bytes() {
            return Ok(response);
        }
    }
}
