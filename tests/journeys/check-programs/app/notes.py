print("nothing of a database")
