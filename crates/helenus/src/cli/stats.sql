-- Volumes of all tables of this database, as one JSON document per line.
-- Only numbers, names and the texts of statements are printed, no values of columns.
-- Run ANALYZE first: the figures are those of the planner's statistics.
WITH own AS (
  SELECT c.oid, n.nspname, c.relname, c.reltuples
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), columns AS (
  SELECT DISTINCT ON (s.schemaname, s.tablename, s.attname) s.*
  FROM pg_catalog.pg_stats s JOIN own ON own.nspname = s.schemaname AND own.relname = s.tablename
  ORDER BY s.schemaname, s.tablename, s.attname, s.inherited DESC
)
SELECT json_build_object('table', relname, 'schema', nspname,
                         'rows', CASE WHEN reltuples >= 0 THEN reltuples::bigint END)::text
FROM own
UNION ALL
SELECT json_build_object('table', tablename, 'schema', schemaname, 'column', attname,
                         'distinct', n_distinct, 'bytes', avg_width, 'nulls', null_frac,
                         'correlation', correlation, 'shares', most_common_freqs[1:100],
                         'items', elem_count_histogram[array_upper(elem_count_histogram, 1)])::text
FROM columns;

-- The rates of statements, where pg_stat_statements is installed.
SELECT to_regclass('pg_stat_statements') IS NOT NULL AND to_regclass('pg_stat_statements_info') IS NOT NULL AS has_statements \gset
\if :has_statements
SELECT json_build_object('statement', query, 'calls', sum(calls),
                         'seconds', extract(epoch FROM now() - (SELECT stats_reset FROM pg_stat_statements_info)))::text
FROM pg_stat_statements
WHERE dbid = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
  AND query ~* '(^|\n)\s*(select|insert|update|delete|with)\y' AND query !~* 'pg_(catalog|stat|class)'
GROUP BY query;
\endif
