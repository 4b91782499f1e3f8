CREATE TABLE orders (id uuid PRIMARY KEY, -- @rwos 5
