package killrvideo.service;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Hashes of passwords, as {@code SALT$KEY}. */
final class Passwords {
    private static final int ROUNDS = 20_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Passwords() {}

    static String hash(String password) {
        byte[] salt = new byte[16];
        RANDOM.nextBytes(salt);
        return HexFormat.of().formatHex(salt) + "$" + HexFormat.of().formatHex(derive(password, salt));
    }

    static boolean matches(String password, String stored) {
        String[] sides = stored.split("\\$");
        byte[] key = derive(password, HexFormat.of().parseHex(sides[0]));
        return MessageDigest.isEqual(key, HexFormat.of().parseHex(sides[1]));
    }

    private static byte[] derive(String password, byte[] salt) {
        try {
            PBEKeySpec key = new PBEKeySpec(password.toCharArray(), salt, ROUNDS, 256);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(key).getEncoded();
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
