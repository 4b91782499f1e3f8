# A server for tests and development:
#
#   docker build -t helenus .
#   docker run --rm -p 9042:9042 -e HELENUS_AUTH=true helenus
#
# Options are environment variables: HELENUS_INIT=/init with a volume of CQL files, HELENUS_DATA=/data with one for data.
# The server listens on all addresses of the container, which requires a login (cassandra, cassandra).

FROM rust:1.90-slim-bookworm AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends cmake g++ make perl \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN cargo build --profile dist --locked -p helenus

FROM debian:bookworm-slim
RUN groupadd --system helenus \
 && useradd --system --gid helenus --home-dir /data helenus \
 && install --directory --owner helenus --group helenus --mode 0700 /data
COPY --from=build /source/target/dist/helenus /usr/local/bin/helenus
USER helenus
ENV HELENUS_ADDRESS=0.0.0.0 \
    HELENUS_AUTH=true \
    HELENUS_PORT_FILE=/tmp/helenus.port
EXPOSE 9042
STOPSIGNAL SIGTERM
# The file exists while the server accepts connections.
HEALTHCHECK --interval=2s --timeout=2s --start-period=30s --retries=3 CMD ["test", "-s", "/tmp/helenus.port"]
ENTRYPOINT ["helenus"]
CMD ["serve"]
