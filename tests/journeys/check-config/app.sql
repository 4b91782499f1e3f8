-- @keyspace shop

-- @rows 10M
CREATE TABLE orders (
  id uuid PRIMARY KEY,
  status text NOT NULL, -- @distinct 5
  total decimal
);
