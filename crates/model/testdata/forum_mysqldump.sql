-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: forum
-- ------------------------------------------------------
-- Server version	8.0.36

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;

--
-- Table structure for table `members`
--

DROP TABLE IF EXISTS `members`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE `members` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `email` varchar(190) COLLATE utf8mb4_unicode_ci NOT NULL,
  `display` char(40) CHARACTER SET utf8mb3 COLLATE utf8mb3_bin DEFAULT NULL,
  `is_staff` tinyint(1) NOT NULL DEFAULT '0',
  `role` enum('reader','writer','it''s') NOT NULL DEFAULT 'reader' COMMENT 'what; they may',
  `flags` set('a','b') DEFAULT NULL,
  `credit` decimal(10,2) unsigned NOT NULL DEFAULT '0.00',
  `score` float DEFAULT NULL,
  `born` year DEFAULT NULL,
  `last_seen` datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
  `updated_at` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  `settings` json DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `members_email_unique` (`email`),
  KEY `members_display` (`display`(10)) USING BTREE
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='who; writes';
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES `members` WRITE;
/*!40000 ALTER TABLE `members` DISABLE KEYS */;
INSERT INTO `members` VALUES (1,'a@example.org','it\'s; me',1,'writer','a',0.00,1.5,1999,'2024-01-01 00:00:00','2024-01-01 00:00:00','{\"a\": \"?\"}');
/*!40000 ALTER TABLE `members` ENABLE KEYS */;
UNLOCK TABLES;

CREATE TABLE `posts` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `author_id` bigint unsigned NOT NULL,
  `title` varchar(255) NOT NULL,
  `slug` varchar(255) GENERATED ALWAYS AS (lower(`title`)) VIRTUAL,
  `body` mediumtext,
  `created_at` timestamp(6) NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (`id`),
  KEY `posts_author_id_index` (`author_id`),
  FULLTEXT KEY `posts_body` (`body`),
  CONSTRAINT `posts_author_id_foreign` FOREIGN KEY (`author_id`) REFERENCES `members` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 /*!50100 PARTITION BY HASH (id) PARTITIONS 4 */;

CREATE TABLE `tags` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(50) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;

CREATE TABLE `post_tags` (
  `post_id` bigint unsigned NOT NULL,
  `tag_id` int unsigned NOT NULL,
  PRIMARY KEY (`post_id`,`tag_id`),
  CONSTRAINT `a` FOREIGN KEY (`post_id`) REFERENCES `posts` (`id`),
  CONSTRAINT `b` FOREIGN KEY (`tag_id`) REFERENCES `tags` (`id`)
) ENGINE=InnoDB;

SET @saved_cs_client     = @@character_set_client;
/*!50001 CREATE VIEW `staff` AS SELECT 1 AS `id`*/;

/*!50003 SET sql_mode = 'STRICT_TRANS_TABLES' */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER `count_posts` AFTER INSERT ON `posts` FOR EACH ROW BEGIN
  UPDATE members SET score = score + 1 WHERE id = NEW.author_id;
END */;;
DELIMITER ;
-- Dump completed on 2024-05-01 10:00:00
