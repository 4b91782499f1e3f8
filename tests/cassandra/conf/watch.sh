# Runs the node as a child and outlives the test process: when the test process ends, however it ends, its end of the
# pipe on our standard input closes; then the node is killed and its folder removed.
# Arguments: the folder, then the command of the node.
dir=$1
shift
exec 3<&0
trap '' INT TERM HUP
"$@" 3<&- </dev/null >"$dir/log" 2>&1 &
node=$!
echo "$node" >"$dir/pid"
(cat <&3 >/dev/null; kill -9 "$node" 2>/dev/null) &
wait "$node"
echo "$?" >"$dir/exited"
wait
rm -rf "$dir"
