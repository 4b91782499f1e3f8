//! Words of other languages, and abbreviations, that names of tables and columns are made of: the lists of words are English.
//!
//! Only words that are none in English stand here, so that a name has one reading.

/// Each word with what it is in English, in the order of the alphabet.
const WORDS: &[(&str, &str)] = &[
    ("acct", "account"),
    ("activo", "active"),
    ("actualizado", "updated"),
    ("aktiv", "active"),
    ("amt", "amount"),
    ("anio", "year"),
    ("annee", "year"),
    ("anno", "year"),
    ("ativo", "active"),
    ("attente", "waiting"),
    ("aufgabe", "task"),
    ("aufgaben", "tasks"),
    ("auftraege", "jobs"),
    ("auftrag", "job"),
    ("benutzer", "user"),
    ("bestellung", "order"),
    ("bestellungen", "orders"),
    ("betrag", "amount"),
    ("cantidad", "quantity"),
    ("categoria", "category"),
    ("categorie", "category"),
    ("ciudad", "city"),
    ("cliente", "customer"),
    ("clientes", "customers"),
    ("coda", "queue"),
    ("cola", "queue"),
    ("colas", "queues"),
    ("comentario", "comment"),
    ("comentarios", "comments"),
    ("commande", "order"),
    ("commandes", "orders"),
    ("compra", "purchase"),
    ("compras", "purchases"),
    ("contador", "counter"),
    ("correo", "email"),
    ("courriel", "email"),
    ("creado", "created"),
    ("criado", "created"),
    ("cust", "customer"),
    ("dia", "day"),
    ("durum", "status"),
    ("ereignis", "event"),
    ("ereignisse", "events"),
    ("erstellt", "created"),
    ("estado", "status"),
    ("etat", "status"),
    ("evenement", "event"),
    ("evenements", "events"),
    ("evento", "event"),
    ("eventos", "events"),
    ("evt", "event"),
    ("evts", "events"),
    ("fecha", "date"),
    ("fila", "queue"),
    ("filas", "queues"),
    ("fiyat", "price"),
    ("giorno", "day"),
    ("heure", "hour"),
    ("hist", "history"),
    ("historial", "history"),
    ("historico", "history"),
    ("historique", "history"),
    ("importe", "amount"),
    ("importo", "amount"),
    ("jahr", "year"),
    ("jour", "day"),
    ("kategorie", "category"),
    ("kolejka", "queue"),
    ("kullanici", "user"),
    ("kunde", "customer"),
    ("kunden", "customers"),
    ("kuyruk", "queue"),
    ("kwota", "amount"),
    ("lectura", "reading"),
    ("lecturas", "readings"),
    ("leitura", "reading"),
    ("leituras", "readings"),
    ("lvl", "level"),
    ("medicao", "measurement"),
    ("medicion", "measurement"),
    ("mediciones", "measurements"),
    ("medicoes", "measurements"),
    ("menge", "quantity"),
    ("mensagem", "message"),
    ("mensagens", "messages"),
    ("mensaje", "message"),
    ("mensajes", "messages"),
    ("mes", "month"),
    ("mesaj", "message"),
    ("mese", "month"),
    ("messaggi", "messages"),
    ("messaggio", "message"),
    ("messung", "measurement"),
    ("messungen", "measurements"),
    ("messwerte", "measurements"),
    ("mesure", "measurement"),
    ("mesures", "measurements"),
    ("mois", "month"),
    ("monat", "month"),
    ("montant", "amount"),
    ("monto", "amount"),
    ("msg", "message"),
    ("msgs", "messages"),
    ("nachricht", "message"),
    ("nachrichten", "messages"),
    ("nombre", "name"),
    ("nome", "name"),
    ("notificacion", "notification"),
    ("notificaciones", "notifications"),
    ("notificacoes", "notifications"),
    ("nutzer", "user"),
    ("ordine", "order"),
    ("ordini", "orders"),
    ("pago", "payment"),
    ("pagos", "payments"),
    ("pedido", "order"),
    ("pedidos", "orders"),
    ("pendente", "pending"),
    ("pendentes", "pending"),
    ("pendiente", "pending"),
    ("pendientes", "pending"),
    ("pmt", "payment"),
    ("pmts", "payments"),
    ("preco", "price"),
    ("preis", "price"),
    ("prezzo", "price"),
    ("prio", "priority"),
    ("prioridad", "priority"),
    ("prioridade", "priority"),
    ("prix", "price"),
    ("qtd", "quantity"),
    ("qty", "quantity"),
    ("quantidade", "quantity"),
    ("quantite", "quantity"),
    ("reserva", "reservation"),
    ("reservas", "reservations"),
    ("saldo", "balance"),
    ("sesion", "session"),
    ("sesiones", "sessions"),
    ("sessao", "session"),
    ("siparis", "order"),
    ("sitzung", "session"),
    ("sitzungen", "sessions"),
    ("solde", "balance"),
    ("stadt", "city"),
    ("stato", "status"),
    ("statut", "status"),
    ("sts", "status"),
    ("stunde", "hour"),
    ("tache", "task"),
    ("taches", "tasks"),
    ("tarea", "task"),
    ("tareas", "tasks"),
    ("tarefa", "task"),
    ("tarefas", "tasks"),
    ("tarih", "date"),
    ("telefon", "phone"),
    ("telefone", "phone"),
    ("telefono", "phone"),
    ("tipo", "type"),
    ("trabajo", "job"),
    ("trabajos", "jobs"),
    ("transaccion", "transaction"),
    ("transacciones", "transactions"),
    ("trx", "transaction"),
    ("txn", "transaction"),
    ("txns", "transactions"),
    ("typ", "type"),
    ("uhrzeit", "time"),
    ("upd", "updated"),
    ("usr", "user"),
    ("usuario", "user"),
    ("usuarios", "users"),
    ("utente", "user"),
    ("utilisateur", "user"),
    ("utilisateurs", "users"),
    ("venta", "sale"),
    ("ventas", "sales"),
    ("verlauf", "history"),
    ("ville", "city"),
    ("warteschlange", "queue"),
    ("zeitpunkt", "timestamp"),
    ("zeitstempel", "timestamp"),
    ("zustand", "status"),
];

/// What stands before the thing that rows are looked up by.
pub(crate) const BY: &[&str] = &["_by_", "_por_", "_par_", "_nach_"];

/// The outlines of all words, as bits: nearly every word of a name is English, and is told apart by its outline.
const OUTLINES: [bool; 1024] = {
    let mut outlines = [false; 1024];
    let mut at = 0;
    while at < WORDS.len() {
        outlines[outline(WORDS[at].0)] = true;
        at += 1;
    }
    outlines
};

/// A number from the first letter, the last and the length of a word.
const fn outline(word: &str) -> usize {
    match word.as_bytes() {
        [first, .., last] => {
            ((*first as usize) * 37 + (*last as usize) * 5 + word.len() * 131) % 1024
        }
        _ => 0,
    }
}

/// What a word is in English; `None` if it is English, or not known.
pub(super) fn to_english(word: &str) -> Option<&'static str> {
    if !OUTLINES.get(outline(word)).is_some_and(|is_known| *is_known) {
        return None;
    }
    let at = WORDS.binary_search_by(|(foreign, _)| (*foreign).cmp(word)).ok()?;
    WORDS.get(at).map(|(_, english)| *english)
}

#[cfg(test)]
mod tests {
    use super::{WORDS, to_english};

    #[test]
    fn words_are_in_order() {
        assert!(WORDS.is_sorted_by(|(one, _), (next, _)| one < next));
    }

    #[test]
    fn words_are_read_in_english() {
        assert_eq!(to_english("estado"), Some("status"));
        assert_eq!(to_english("zustand"), Some("status"));
        assert_eq!(to_english("status"), None);
        assert_eq!(to_english(""), None);
    }
}
