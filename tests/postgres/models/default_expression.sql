-- Defaults that are computed.
-- @rows 2M
CREATE TABLE coupons (
  code     text PRIMARY KEY,
  kind     text NOT NULL DEFAULT lower('GIFT'),    -- @distinct 20
  worth    integer NOT NULL DEFAULT 5 * 10,
  made     timestamp NOT NULL DEFAULT now(),
  ends     timestamp NOT NULL DEFAULT now() + interval '30 days',
  holder   text NOT NULL,                          -- @distinct 500k
  label    text NOT NULL DEFAULT 'c' || '-' || 'x'
);

-- name: Coupon :one
-- @rate 500/s
SELECT kind, worth, made, ends, holder, label FROM coupons WHERE code = ?;

-- name: OfHolder :many
-- @rate 100/s
SELECT code, worth, ends FROM coupons WHERE holder = ? ORDER BY ends, code;

-- name: Give :exec
-- @rate 20/s
INSERT INTO coupons (code, holder) VALUES (?, ?);

-- name: GiveWorth :exec
-- @rate 20/s
INSERT INTO coupons (code, holder, worth, kind) VALUES (?, ?, ?, ?);
