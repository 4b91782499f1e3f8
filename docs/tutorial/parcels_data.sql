-- A day in the life of the database of parcels.sql, small: psql -f parcels.sql -f parcels_data.sql
-- The same rows each time, and statistics of all of them instead of a sample.
SET search_path = public;
SET default_statistics_target = 1000;

INSERT INTO depots (code, city)
SELECT 'D' || lpad(n::text, 3, '0'), 'City ' || n FROM generate_series(1, 50) n;

INSERT INTO customers (email, name)
SELECT 'customer' || n || '@example.org', 'Customer ' || n FROM generate_series(1, 2000) n;

-- A few customers send most parcels.
INSERT INTO parcels (tracking_code, sender_id, recipient, destination_id, service, weight, labels)
SELECT 'PX' || lpad(n::text, 9, '0'), 1 + floor(2000 * power(n * 7919 % 100003 / 100003.0, 3))::bigint,
  'Recipient ' || n, 1 + n % 50, (CASE WHEN n % 10 = 0 THEN 'express' ELSE 'standard' END)::service,
  100 + n % 5000, CASE WHEN n % 4 = 0 THEN ARRAY['fragile', 'gift'] END
FROM generate_series(1, 40000) n;

INSERT INTO scans
SELECT id, timestamp '2026-03-01' + weight % 200 * interval '1 day' + s * interval '7 hours',
  1 + (s * 7 + weight) % 50,
  (ARRAY['accepted', 'sorted', 'loaded', 'unloaded', 'out for delivery', 'delivered'])[s], NULL
FROM parcels, generate_series(1, 6) s;

INSERT INTO complaints (parcel_id, customer_id, text)
SELECT id, sender_id, 'Where is it?' FROM parcels WHERE tracking_code LIKE '%7_' ORDER BY tracking_code LIMIT 400;

ANALYZE;
