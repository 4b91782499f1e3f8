# Makes a cluster, runs it as a child and outlives the test process: when the test process ends, however it ends, its end
# of the pipe on our standard input closes; then the cluster is stopped and its folder removed.
# Arguments: the folder, then the folder of the server's programs.
dir=$1
bin=$2
exec 3<&0
trap '' INT TERM HUP
# The server refuses to run as root.
as=
if [ "$(id -u)" = 0 ]; then
  as="runuser -u postgres --"
  chown postgres "$dir"
fi
cd "$dir" || exit 1
{
  $as "$bin/initdb" -D "$dir/data" -A trust -U postgres --locale=C -E UTF8 --no-sync --no-instructions &&
    echo "start" >>"$dir/started"
} 3<&- </dev/null >"$dir/log" 2>&1
if [ -e "$dir/started" ]; then
  $as "$bin/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c fsync=off -c full_page_writes=off \
    -c synchronous_commit=off -c autovacuum=off -c max_connections=30 -c shared_buffers=64MB -c timezone=UTC \
    3<&- </dev/null >>"$dir/log" 2>&1 &
  node=$!
  (cat <&3 >/dev/null; kill -QUIT "$(head -n 1 "$dir/data/postmaster.pid")" 2>/dev/null) &
  wait "$node"
fi
echo "$?" >"$dir/exited"
# Until the test process is gone it may want to read the log.
cat <&3 >/dev/null
wait
cd /
rm -rf "$dir"
