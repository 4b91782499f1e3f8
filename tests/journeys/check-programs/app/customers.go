package shop

import "fmt"

const customer = `
	SELECT name, town
	FROM shop.customers
	WHERE customer_id = ?`

func inCity(keyspace string) string {
	return fmt.Sprintf("SELECT customer_id FROM %s.customers WHERE city = ? ALLOW FILTERING", keyspace)
}
